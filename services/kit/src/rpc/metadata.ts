import { Metadata } from '@grpc/grpc-js';

/** Binary headers (`…-bin`) stand as base64 in Headers, where a repeated one is joined with commas. */
export function toMetadata(headers: HeadersInit | undefined): Metadata {
  const metadata = new Metadata();
  for (const [name = '', value = ''] of entriesOf(headers)) {
    if (!name.endsWith('-bin')) metadata.add(name, value);
    else for (const part of value.split(',')) metadata.add(name, Buffer.from(part, 'base64'));
  }
  return metadata;
}

export function toHeaders(metadata: Metadata | undefined): Headers {
  const headers = new Headers();
  for (const name of Object.keys(metadata?.getMap() ?? {})) {
    for (const value of metadata?.get(name) ?? []) {
      headers.append(name, typeof value === 'string' ? value : value.toString('base64'));
    }
  }
  return headers;
}

function entriesOf(headers: HeadersInit | undefined): Iterable<readonly (string | undefined)[]> {
  if (headers === undefined) return [];
  return Symbol.iterator in headers ? headers : Object.entries(headers);
}

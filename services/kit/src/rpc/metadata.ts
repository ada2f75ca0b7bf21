import { Metadata } from '@grpc/grpc-js';

export function toMetadata(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) {
    metadata.add(name, name.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
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

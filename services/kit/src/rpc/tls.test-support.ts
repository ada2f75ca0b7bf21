import { mkdtempSync, renameSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Certificate } from '../../../../tests/support/certificates.ts';
import { openRpcTls } from './tls.ts';
import type { RpcTls } from './tls.ts';

/** The three files as they are mounted; `ca` is a list of authorities. */
export type Mounted = Certificate & { readonly ca: readonly string[] };

export type Mount = {
  readonly folder: string;
  /** All three at once, as a platform replaces them. */
  put(files: Mounted): void;
  /** One of them by itself, whatever the others are. */
  overwrite(name: string, content: string): void;
  remove(name: string): void;
};

/** A folder whose files are links into another, which is replaced as a whole: how a kubelet mounts a Secret. */
export function mountCertificates(t: TestContext, files: Mounted): Mount {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  let versions = 0;
  const put = ({ cert, key, ca }: Mounted) => {
    versions += 1;
    mkdirSync(path.join(folder, `..${versions}`));
    const contents = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca.join('') };
    for (const [name, content] of Object.entries(contents))
      writeFileSync(path.join(folder, `..${versions}`, name), content);
    symlinkSync(`..${versions}`, path.join(folder, '..next'));
    renameSync(path.join(folder, '..next'), path.join(folder, '..data'));
  };
  put(files);
  for (const name of ['tls.crt', 'tls.key', 'ca.crt']) symlinkSync(`..data/${name}`, path.join(folder, name));
  return {
    folder,
    put,
    overwrite: (name, content) => writeFileSync(path.join(folder, name), content),
    remove: (name) => rmSync(path.join(folder, `..${versions}`, name)),
  };
}

/** Looks at the files all the time. */
export function tlsOf(
  { folder }: Pick<Mount, 'folder'>,
  logger: Parameters<typeof openRpcTls>[0]['logger'] = { info() {}, warn() {} },
): RpcTls {
  const tls = openRpcTls({ folder, logger, lookEveryMs: 10 });
  if (!tls) throw new Error('a folder gives TLS');
  return tls;
}

import path from 'node:path';
import type { Pod, Rendered } from './render.ts';

/** A key of a Secret that a pod has as a file. */
export type SecretFile = { readonly path: string; readonly secret: string; readonly key: string };

type Variables = Readonly<Record<string, string>>;

/** Every variable of a pod, from its ConfigMap and its own. */
export function variablesOf({ of }: Rendered, { container }: Pod): Variables {
  const maps = (container.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name);
  const given = maps.map((name) => of('ConfigMap').find(({ metadata }) => metadata.name === name)?.data ?? {});
  const own = (container.env ?? []).map(({ name, value = '' }) => [name, value] as const);
  return Object.assign({}, ...given, Object.fromEntries(own));
}

/** Every key of a Secret that is mounted into a pod by its name, but for certificates, which are found by their folder. */
export function secretFilesOf({ spec, container }: Pod): readonly SecretFile[] {
  const others = spec.volumes.filter(({ name }) => name !== 'tls');
  return others.flatMap(({ name, secret, projected }) => {
    const folder = container.volumeMounts.find((mount) => mount.name === name)?.mountPath ?? 'nowhere';
    const whole = secret?.items ? [{ secret: { name: secret.secretName, items: secret.items } }] : [];
    const parts = (projected?.sources ?? []).flatMap((source) => (source.secret ? [{ secret: source.secret }] : []));
    return [...whole, ...parts].flatMap(({ secret: { name: from, items } }) =>
      items.map((item) => ({ path: path.join(folder, item.path), secret: from, key: item.key })),
    );
  });
}

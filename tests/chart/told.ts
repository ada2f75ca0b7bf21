import path from 'node:path';
import type { Settings } from '@pfq/kit/config';
import { migrationSettings as schemaSettings } from '@pfq/kit/schema-settings';
import { processSettings } from '@pfq/kit/service-settings';
import * as application from '../../services/application/src/config.ts';
import { settings as gateway } from '../../services/gateway/src/config.ts';
import { settings as hostedPage } from '../../services/hosted-page/src/config.ts';
import * as notification from '../../services/notification/src/config.ts';
import { settings as pricing } from '../../services/pricing/src/config.ts';
import * as quoteStore from '../../services/quote-store/src/config.ts';
import type { Pod, Rendered } from './render.ts';

/** What every program reads that a pod runs. */
export const SETTINGS: Readonly<Record<string, Settings>> = {
  gateway: { ...gateway, ...processSettings },
  pricing: { ...pricing, ...processSettings },
  'quote-store': { ...quoteStore.settings, ...processSettings },
  application: { ...application.settings, ...processSettings },
  notification: { ...notification.settings, ...processSettings },
  'hosted-page': { ...hostedPage, ...processSettings },
  'migrate-gateway': schemaSettings,
  'migrate-pricing': schemaSettings,
  'migrate-quote-store': quoteStore.migrationSettings,
  'migrate-application': application.migrationSettings,
  'migrate-notification': notification.migrationSettings,
};

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

/** Every key of a Secret that is mounted into a pod by its name. */
export function secretFilesOf({ spec, container }: Pod): readonly SecretFile[] {
  return spec.volumes.flatMap(({ name, secret, projected }) => {
    const folder = container.volumeMounts.find((mount) => mount.name === name)?.mountPath ?? 'nowhere';
    const whole = secret?.items ? [{ secret: { name: secret.secretName, items: secret.items } }] : [];
    return [...whole, ...(projected?.sources ?? [])].flatMap(({ secret: { name: from, items } }) =>
      items.map((item) => ({ path: path.join(folder, item.path), secret: from, key: item.key })),
    );
  });
}

import type { ServiceImpl } from '@connectrpc/connect';
import { ServiceError } from '@pfq/kit/errors';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import { refuseContradictions } from '../domain/settings-contradictions.ts';
import { parseSettings } from '../domain/settings-text.ts';
import type { PricingStore } from '../storage/store.ts';

export function settingsMethods(store: PricingStore) {
  return {
    async setSettings({ json }, context) {
      refuseContradictions(parseSettings(json));
      return { version: await store.addSettings(json, actorOf(context.requestHeader)) };
    },
    async getSettings() {
      const { settings: version } = await store.readCurrentVersions();
      const json = await store.readSettings(version);
      if (json === null) throw new ServiceError('NOT_FOUND', { message: 'There are no pricing settings.' });
      return { version, json };
    },
  } satisfies Partial<ServiceImpl<typeof PricingAdminService>>;
}

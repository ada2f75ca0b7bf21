import type { ServiceImpl } from '@connectrpc/connect';
import { ServiceError } from '@pfq/kit/errors';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import { parseRateSheet } from '../domain/rate-sheet.ts';
import type { PricingStore } from '../storage/store.ts';

export function rateSheetMethods(store: PricingStore) {
  return {
    async loadRateSheet({ json }, context) {
      const { asOf } = parseRateSheet(json);
      return { version: await store.addRateSheet({ json, asOf }, actorOf(context.requestHeader)) };
    },
    async getRateSheet() {
      const { rateSheet: version } = await store.readCurrentVersions();
      const json = await store.readRateSheet(version);
      if (json === null) {
        throw new ServiceError('NOT_FOUND', {
          message: 'No rate sheet has been loaded. Load one: pfq rates load FILE',
        });
      }
      return { version, json };
    },
  } satisfies Partial<ServiceImpl<typeof PricingAdminService>>;
}

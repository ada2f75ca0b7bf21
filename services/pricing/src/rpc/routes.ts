import type { HandlerContext } from '@connectrpc/connect';
import { callerOf } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import type { Logger } from '@pfq/kit/log';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import type { ReferenceLibrary } from '../storage/reference-library.ts';
import type { PricingStore } from '../storage/store.ts';
import { carrierMethods } from './carriers.ts';
import { declinedMethods } from './declined.ts';
import { priceDeal } from './price-deal.ts';
import { rateSheetMethods } from './rate-sheets.ts';
import { repriceDeal } from './reprice-deal.ts';
import { settingsMethods } from './settings.ts';

type Parts = { readonly store: PricingStore; readonly library: ReferenceLibrary; readonly logger: Logger };

export function pricingRoutes({ store, library, logger }: Parts): RpcRoutes {
  return (router) => {
    router.service(PricingService, {
      priceDeal: (request, context) =>
        priceDeal(request, { library, mode: callerOf(context).tenant?.mode }).catch(reportUnavailable(logger, context)),
      repriceDeal: (request, context) => repriceDeal(request, library).catch(reportUnavailable(logger, context)),
    });
    router.service(PricingAdminService, {
      ...rateSheetMethods(store),
      ...settingsMethods(store),
      ...carrierMethods(store, library),
      ...declinedMethods(store),
    });
  };
}

/** The caller learns only that prices cannot be had; why is for the operator, who alone can mend it. */
function reportUnavailable(logger: Logger, context: HandlerContext) {
  return (error: unknown): never => {
    if (error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE') {
      logger.error({ err: error.cause, request_id: callerOf(context).requestId }, 'prices cannot be had');
    }
    throw error;
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { DealSchema, PricedUnderSchema } from '@pfq/proto/pricing/v1/deal_pb';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { NotificationStatus, QuoteStatus, QuoteStoreAdminService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { PRICED_UNDER, pricedDeal } from '../priced-deal.test-support.ts';
import { renderPricedMembers, renderRequestMembers } from '../quotes/quote-object.ts';
import { fullRequest, parse } from '../requests/sample-request.test-support.ts';
import { apiVersions } from '../versions/api-versions.ts';
import { CHANGES } from '../versions/changes.ts';
import { quoteAdminRoutes } from './quote-admin.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-quote-tests';
const AS_DANA = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'dana@lender.example' }) };
const RESPONDED_AT = new Date('2026-12-01T12:00:00.000Z');

/** The operator's view of a store in which every quote has a response. */
function openView() {
  const priced = pricedDeal();
  const requestMembers = renderRequestMembers({
    request: parse(fullRequest()),
    priced,
    brokerEmail: 'ana@a.example',
    createdAt: new Date('2026-11-20T12:00:00.000Z'),
    expiresAt: new Date('2026-12-20T12:00:00.000Z'),
    policyIds: ['pol_abcdEFGH'],
  });
  const at = timestampFromDate(RESPONDED_AT);
  const brokerNotification = { status: NotificationStatus.SKIPPED, reason: 'test_mode', at };
  const behind = createRouterTransport(({ service }) => {
    service(PricingService, {
      priceDeal: () => assert.fail('nothing is priced for the first time here'),
      repriceDeal: () => ({ priced }),
    });
    service(QuoteStoreAdminService, {
      lookUpQuote: ({ quoteId }) => ({
        quote: {
          quoteId,
          mode: Mode.TEST,
          status: QuoteStatus.INTERESTED,
          snapshot: {
            requestMembers: Buffer.from(requestMembers),
            pricedMembers: Buffer.from(renderPricedMembers(priced)),
          },
          interest: { optionId: 'opt_25_9', note: 'Call me.', submittedAt: at, brokerNotification },
        },
        agencyId: 'agy_1',
        brokerId: 'brk_1',
        deal: toBinary(DealSchema, create(DealSchema)),
        pricedUnder: toBinary(PricedUnderSchema, PRICED_UNDER),
      }),
    });
  });
  const pricing = createClient(PricingService, behind);
  const quoteStore = createClient(QuoteStoreAdminService, behind);
  const front = createRouterTransport(
    quoteAdminRoutes({ pricing, quoteStore, operatorToken: OPERATOR_TOKEN, versions: apiVersions(CHANGES) }),
  );
  return createClient(QuoteAdminService, front);
}

test('the operator sees the response to a quote as its agency does, and no hosted link', async () => {
  const { json } = await openView().showQuote({ quoteId: 'qte_1' }, AS_DANA);
  assert.partialDeepStrictEqual(JSON.parse(json), {
    id: 'qte_1',
    status: 'interested',
    hosted_url: null,
    selected_option_id: 'opt_25_9',
    interest: {
      option_id: 'opt_25_9',
      note: 'Call me.',
      submitted_at: '2026-12-01T12:00:00.000Z',
      broker_notification: {
        status: 'skipped',
        reason: 'test_mode',
        recipient: null,
        recipients: [],
        at: '2026-12-01T12:00:00.000Z',
      },
    },
    agency_id: 'agy_1',
  });
});

test('a response changes nothing of what is verified', async () => {
  const { match, differences } = await openView().verifyQuote({ quoteId: 'qte_1' }, AS_DANA);
  assert.deepEqual([match, differences], [true, []]);
});

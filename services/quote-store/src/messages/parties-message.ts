import type { Parties as PartiesMessage } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import type { Parties } from '../domain/quote.ts';

export function toParties({ insuredName, agencyName, brokerName, brokerEmail }: PartiesMessage): Parties {
  if (brokerEmail === '') throw new Error("the new quote's broker has no email address");
  return {
    insuredName: insuredName ?? null,
    agencyName: agencyName ?? null,
    brokerName: brokerName ?? null,
    brokerEmail,
  };
}

/** What there is not is absent. */
export function toPartiesMessage({ insuredName, agencyName, brokerName, brokerEmail }: Parties) {
  return {
    ...(insuredName !== null && { insuredName }),
    ...(agencyName !== null && { agencyName }),
    ...(brokerName !== null && { brokerName }),
    brokerEmail,
  };
}

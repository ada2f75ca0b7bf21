import type { ServiceImpl } from '@connectrpc/connect';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { DirectoryCarrier, PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import { buildCarrierDirectory, findCarriers } from '../domain/carriers.ts';
import type { CarrierDirectory, CarrierEntry } from '../domain/carriers.ts';
import { refuseIfAny } from '../domain/problems.ts';
import type { ReferenceLibrary } from '../storage/reference-library.ts';
import type { PricingStore } from '../storage/store.ts';
import { isStorable } from './storable-text.ts';

const FOUND_MAX = 50;

export function carrierMethods(store: PricingStore, library: ReferenceLibrary) {
  return {
    async loadCarriers({ carriers }, context) {
      refuseUnstorable(carriers);
      const { entries } = buildCarrierDirectory(carriers);
      const version = await store.addCarriers(entries, actorOf(context.requestHeader));
      return { version, carriers: entries.length };
    },
    async findCarriers({ query }) {
      const found = find(await library.carriers(), query);
      return { carriers: found.slice(0, FOUND_MAX).map(toWire), hasMore: found.length > FOUND_MAX };
    },
  } satisfies Partial<ServiceImpl<typeof PricingAdminService>>;
}

function refuseUnstorable(carriers: readonly DirectoryCarrier[]): void {
  if (carriers.length === 0) {
    const message = 'Send at least one carrier: a directory without any would take every rating away.';
    refuseIfAny([{ code: 'TOO_FEW', param: 'carriers', message }]);
  }
  refuseIfAny(
    carriers.flatMap(({ name, naicCode, amBestId, rating }, index) => {
      const message = `carriers[${index}] holds a NUL character. Remove it.`;
      if ([name, naicCode, amBestId, rating].every(isStorable)) return [];
      return [{ code: 'INVALID_VALUE', param: `carriers[${index}]`, message }];
    }),
  );
}

function find(directory: CarrierDirectory, query: string): readonly CarrierEntry[] {
  const code = query.trim();
  const byCode = [directory.byNaicCode.get(code), directory.byAmBestId.get(code)].filter(
    (entry) => entry !== undefined,
  );
  const found = new Set([...byCode, ...findCarriers(directory, query)]);
  return [...found].sort((left, right) => left.name.localeCompare(right.name, 'en'));
}

function toWire({ name, naicCode, amBestId, rating }: CarrierEntry) {
  return { name, naicCode: naicCode ?? '', amBestId: amBestId ?? '', rating: rating ?? '' };
}

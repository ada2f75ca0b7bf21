import type { Claim, KeyHolder, KeyRecord, Progress } from './domain/idempotency.ts';
import type { IdempotencyStore } from './storage/idempotency-store.ts';

const DAY_MS = 86_400_000;

/** Idempotency keys in memory, with a clock that tests move. It keeps the promises that PostgreSQL keeps. */
export function memoryIdempotencyStore(start: Date) {
  const records = new Map<string, KeyRecord>();
  let nowMs = start.getTime();
  const isExpired = ({ claimedAt }: KeyRecord) => claimedAt.getTime() <= nowMs - DAY_MS;
  const heldBy = (holder: KeyHolder) => {
    const record = records.get(placeOf(holder));
    return record?.owner === holder.owner ? record : undefined;
  };
  const move = (record: KeyRecord, progress: Progress) => records.set(placeOf(record), { ...record, progress });
  const store: IdempotencyStore = {
    async claim(claim: Claim) {
      const standing = records.get(placeOf(claim));
      const now = new Date(nowMs);
      if (standing && !isExpired(standing)) return { record: standing, now };
      const record: KeyRecord = { ...claim, claimedAt: now, progress: { state: 'claimed' } };
      records.set(placeOf(claim), record);
      return { record, now };
    },
    async finish(holder, answer) {
      const record = heldBy(holder);
      if (!record || record.progress.state === 'lost') return false;
      move(record, { state: 'finished', answer: () => answer });
      return true;
    },
    async release(holder) {
      const record = heldBy(holder);
      if (record?.progress.state === 'claimed') records.delete(placeOf(holder));
      return record?.progress.state !== 'lost';
    },
    async markLost(holder) {
      const record = heldBy(holder);
      if (record?.progress.state === 'claimed') move(record, { state: 'lost' });
    },
    async removeExpired() {
      const expired = [...records.values()].filter(isExpired);
      for (const record of expired) records.delete(placeOf(record));
      return expired.length;
    },
  };
  return { store, setTime: async (now: string) => void (nowMs = Date.parse(now)) };
}

function placeOf({ agencyId, mode, key }: KeyHolder): string {
  return JSON.stringify([agencyId, mode, key]);
}

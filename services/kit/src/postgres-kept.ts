import { makeClient } from './postgres.ts';
import type { Connection } from './postgres.ts';

export type KeptConnection = {
  /** Connects where there is no connection yet, or none any more. After a failure the next work gets a new one. */
  use<T>(work: (client: Connection) => Promise<T>): Promise<T>;
  /** What is under way fails. */
  close(): Promise<void>;
};

/** One connection for works that come again and again. */
export function keepConnection(url: string, limits: { readonly answerMs: number }): KeptConnection {
  type Kept = ReturnType<typeof makeClient> & { readonly connected: Promise<void> };
  let kept: Kept | null = null;

  function open(): Kept {
    const made = makeClient(url, limits);
    const opened = { ...made, connected: made.connect() };
    made.client.once('end', () => forget(opened));
    return opened;
  }

  function forget(lost: Kept): void {
    if (kept === lost) kept = null;
  }
  return {
    async use(work) {
      const used = (kept ??= open());
      try {
        await used.connected;
        return await work(used.client);
      } catch (error) {
        forget(used);
        used.drop();
        throw error;
      }
    },
    async close() {
      const last = kept;
      kept = null;
      await last?.end();
    },
  };
}

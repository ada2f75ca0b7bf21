import type { Application } from './application.ts';

/** Something as it was sent: it has the right shape, and nothing else about it is certain. */
export type Draft<T> = T extends string
  ? string
  : T extends Date
    ? Date | null
    : T extends readonly (infer Item)[]
      ? readonly Draft<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: Draft<T[Name]> }
        : T;

export type IncomingDraft = {
  readonly agencyId: string;
  readonly livemode: boolean;
  readonly application: Draft<Application> | null;
};

import type { Commands } from './commands.ts';

export type Scene = {
  readonly commands: Commands;
  /** The product's image, name:tag. */
  readonly image: string;
  readonly say: (line: string) => void;
};

/** What became of a promise. */
export type Finding = {
  readonly promise: string;
  /** What was measured. */
  readonly figure: string;
  /** How it was broken; none where it was kept. */
  readonly broken: readonly string[];
};

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../examples');

/** What differs from quote to quote in an expected answer. */
const VARIES = '(varies)';

/** One realistic deal: the body to send, and the answer to get on the demo stack. */
export type Example = { readonly name: string; readonly body: string; readonly expected: PublicQuote };

/** The members of a public quote that tests look at by name; the rest is compared as it is. */
export type PublicQuote = {
  readonly id: string;
  readonly livemode: boolean;
  readonly status: string;
  readonly hosted_url: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly broker: { readonly email: string };
  readonly policies: readonly { readonly id: string }[];
  readonly options: readonly Readonly<Record<string, unknown>>[];
  readonly recommended_option_id: string | null;
};

export function readExamples(): readonly Example[] {
  const names = globSync('*.expected.json', { cwd: FOLDER }).map((file) => file.replace('.expected.json', ''));
  return names.sort().map((name) => ({
    name,
    body: exampleBody(name),
    expected: JSON.parse(readFileSync(path.join(FOLDER, `${name}.expected.json`), 'utf8')),
  }));
}

/** The body of one example. */
export function exampleBody(name: string): string {
  return readFileSync(path.join(FOLDER, `${name}.json`), 'utf8');
}

/** The same quote with whatever differs from one creation to the next replaced. */
export function withoutVarying(quote: PublicQuote): PublicQuote {
  return {
    ...quote,
    id: VARIES,
    hosted_url: VARIES,
    created_at: VARIES,
    expires_at: VARIES,
    policies: quote.policies.map((policy) => ({ ...policy, id: VARIES })),
  };
}

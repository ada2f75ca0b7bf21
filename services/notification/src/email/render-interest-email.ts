import { contentOf } from './content.ts';
import { toHtml } from './html.ts';
import type { Interest } from './interest.ts';
import { toText } from './text.ts';

/** The email that tells a broker of an interest. The same interest gives the same texts; `portalUrl` has no slash at its end. */
export function renderInterestEmail(
  interest: Interest,
  { portalUrl }: { readonly portalUrl: string },
): { readonly subject: string; readonly text: string; readonly html: string } {
  const content = contentOf(interest, { portalUrl });
  return { subject: content.subject, text: toText(content), html: toHtml(content) };
}

import type { Option, Quote } from '../domain/quote.ts';
import type { Language } from '../words/words.ts';

/** Where the pages of a link are, as paths of this host; they hold the link's token. */
export type Paths = {
  /** The quote, with the choice of an option; its form asks for `review` with the parameter `option`. */
  readonly quote: string;
  /** The chosen option once more, with the form that posts to `interest`. */
  readonly review: string;
  /** With the language in its query: it answers in the one that its form was shown in. */
  readonly interest: string;
};

/** What the insured filled in on the review page: it comes back whenever it has to be sent again. */
export type FilledIn = {
  /** As typed, whatever its length. */
  readonly note: string;
  /** What is wrong with it, or why it did not get through. */
  readonly problem:
    | { readonly kind: 'not-confirmed' }
    | { readonly kind: 'note-too-long'; readonly length: number }
    | { readonly kind: 'note-unreadable' }
    | { readonly kind: 'form-outdated' }
    /** Nothing was stored for certain. */
    | { readonly kind: 'unavailable' }
    /** It may or may not be stored; sending it again is safe. */
    | { readonly kind: 'unknown-outcome' };
};

/** What became of what the insured sent: it is the response; the response was there, with the same option or with another. */
export type AfterSending = 'sent' | 'sent-before' | 'sent-another';

/** How to ask again for what could not be served: by its address, or by sending the same form once more. */
export type TryAgain =
  | { readonly kind: 'link'; readonly path: string }
  | { readonly kind: 'form'; readonly path: string; readonly fields: ReadonlyMap<string, string> };

/** Every page that there is, with all that it shows. */
export type Page =
  /** The options to choose from; `problem` where a choice was asked for without one that exists. */
  | { readonly kind: 'quote'; readonly quote: Quote; readonly paths: Paths; readonly problem: 'no-choice' | null }
  /** `nonce` proves that the form came from this page; `filledIn` is null where it is shown for the first time. */
  | {
      readonly kind: 'review';
      readonly quote: Quote;
      readonly paths: Paths;
      readonly option: Option;
      readonly nonce: string;
      readonly filledIn: FilledIn | null;
    }
  /** The quote has a response; `after` tells how the insured came here, null by the link. */
  | { readonly kind: 'interested'; readonly quote: Quote; readonly after: AfterSending | null }
  | { readonly kind: 'expired'; readonly quote: Quote }
  | { readonly kind: 'ineligible'; readonly quote: Quote }
  /** A newer link was issued for a quote of this mode. */
  | { readonly kind: 'replaced'; readonly mode: Quote['mode'] }
  /** There is no such link, or no such page. */
  | { readonly kind: 'unknown' }
  /** The form did not come from this site's own page, as far as the browser says. */
  | { readonly kind: 'foreign-form' }
  /** Too many unknown links were tried from this address. */
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number; readonly tryAgain: TryAgain | null }
  /** What was sent is larger than any answer. */
  | { readonly kind: 'too-large' }
  /** Cannot be shown now. */
  | { readonly kind: 'unavailable'; readonly tryAgain: TryAgain | null }
  /** A bug of ours; `requestId` is what support needs. */
  | { readonly kind: 'failed'; readonly requestId: string; readonly tryAgain: TryAgain | null };

/** How a page is shown: `switchTo` is its address in the other language, null where it has none of its own. */
export type Frame = { readonly language: Language; readonly switchTo: string | null };

import type { Option, Quote } from '../domain/quote.ts';

export type Language = 'en' | 'es';

/** Where the pages of a link are, as paths of this host without a query; they hold the link's token. */
export type Paths = {
  /** The quote, with the choice of an option; its form asks for `review` with the parameter `option`. */
  readonly quote: string;
  /** The chosen option once more, with the form that posts to `interest`. */
  readonly review: string;
  readonly interest: string;
};

/** What the insured filled in on the review page: it comes back whenever it has to be sent again. */
export type Answer = {
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

/** How to ask again for what could not be served: by its address, or by sending the same form once more. */
export type TryAgain =
  | { readonly kind: 'link'; readonly path: string }
  | { readonly kind: 'form'; readonly path: string; readonly fields: ReadonlyMap<string, string> };

/** Every page that there is, with all that it shows. */
export type Page =
  /** The options to choose from; `problem` where a choice was asked for without one that exists. */
  | { readonly kind: 'quote'; readonly quote: Quote; readonly paths: Paths; readonly problem: 'no-choice' | null }
  /** `nonce` proves that the form came from this page; `answer` is null where it is shown for the first time. */
  | {
      readonly kind: 'review';
      readonly quote: Quote;
      readonly paths: Paths;
      readonly option: Option;
      readonly nonce: string;
      readonly answer: Answer | null;
    }
  /** The quote has a response; `after` tells how the insured came here: by sending it just now, by sending another, or by the link. */
  | {
      readonly kind: 'interested';
      readonly quote: Quote;
      readonly paths: Paths;
      readonly after: 'sent' | 'sent-another' | null;
    }
  | { readonly kind: 'expired'; readonly quote: Quote; readonly paths: Paths }
  | { readonly kind: 'ineligible'; readonly quote: Quote; readonly paths: Paths }
  /** A newer link was issued. */
  | { readonly kind: 'replaced' }
  /** There is no such link, or no such page. */
  | { readonly kind: 'unknown' }
  /** The form did not come from this site's own page, as far as the browser says. */
  | { readonly kind: 'foreign-form' }
  /** Too many unknown links were tried from this address. */
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number }
  /** What was sent is larger than any answer. */
  | { readonly kind: 'too-large' }
  /** Cannot be shown now. */
  | { readonly kind: 'unavailable'; readonly tryAgain: TryAgain | null }
  /** A bug of ours; `requestId` is what support needs. */
  | { readonly kind: 'failed'; readonly requestId: string };

/** How a page is shown: `switchTo` is its address in the other language, null where it has none of its own. */
export type Frame = { readonly language: Language; readonly switchTo: string | null };

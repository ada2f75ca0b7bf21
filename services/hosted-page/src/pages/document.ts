import { h, type ComponentChildren, type JSX } from 'preact';
import type { Quote } from '../domain/quote.ts';
import { NOTE_SCRIPT } from './note-script.ts';
import { Name } from './name.ts';
import type { Frame } from './page.ts';
import { MailLink } from './parties.ts';
import { STYLE } from './style.ts';
import { WORDS } from '../words/words.ts';

type Content = {
  readonly frame: Frame;
  /** What the page is about, before the name that all of them share; null where that name says it. */
  readonly title: string | null;
  /** Null where no quote is shown: then the page says nothing about any, but for its mode where that is known. */
  readonly quote: Quote | null;
  readonly mode?: Quote['mode'] | null;
  readonly hasProblem?: boolean;
  readonly countsNote?: boolean;
  readonly children?: ComponentChildren;
};

/** What every page has around its own content. It names no other address than its own: one request shows it. */
export function Document({
  frame,
  title,
  quote,
  mode = quote?.mode ?? null,
  hasProblem = false,
  countsNote = false,
  children,
}: Content): JSX.Element {
  const words = WORDS[frame.language];
  const fullTitle = title === null ? words.title : `${title} · ${words.title}`;
  return h(
    'html',
    { lang: words.tag },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'robots', content: 'noindex,nofollow' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'format-detection', content: 'telephone=no' }),
      h('title', null, hasProblem ? words.problemTitle(fullTitle) : fullTitle),
      h('link', { rel: 'icon', href: 'data:,' }),
      h('style', { dangerouslySetInnerHTML: { __html: STYLE } }),
    ),
    h(
      'body',
      null,
      h('a', { class: 'skip', href: '#content' }, words.skip),
      h(Header, { frame, quote, mode }),
      h('main', { id: 'content', tabindex: -1 }, children),
      quote !== null && h(Footer, { frame, quote }),
      countsNote && h('script', { dangerouslySetInnerHTML: { __html: NOTE_SCRIPT } }),
    ),
  );
}

/** The agency is whom the insured knows, so that the page goes by its name. */
function Header({ frame, quote, mode }: Pick<Content, 'frame' | 'quote' | 'mode'>): JSX.Element {
  const words = WORDS[frame.language];
  const [other, name] = frame.language === 'en' ? ['es', 'Español'] : ['en', 'English'];
  return h(
    'header',
    null,
    h(
      'div',
      { class: 'top' },
      h('p', { class: 'brand' }, h(Name, { name: quote?.agencyName ?? words.title })),
      frame.switchTo !== null && h('a', { class: 'switch', href: frame.switchTo, lang: other, hreflang: other }, name),
    ),
    mode === 'test' && h('p', { class: 'test' }, h('b', null, words.testBanner.lead), ' ', words.testBanner.text),
  );
}

function Footer({ frame, quote }: { frame: Frame; quote: Quote }): JSX.Element {
  const words = WORDS[frame.language];
  return h(
    'footer',
    null,
    h('p', null, words.footer.questions, ' ', h(MailLink, { broker: quote.broker })),
    h('p', null, words.footer.privacy),
  );
}

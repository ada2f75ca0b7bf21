import { createHash } from 'node:crypto';
import { h } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Message } from './message.ts';
import { STYLE } from './style.ts';

/** Of every page here; what a mail itself shows has stricter ones. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

export function listPage(messages: readonly Message[]): string {
  const count = `${messages.length} ${messages.length === 1 ? 'mail' : 'mails'}, newest first`;
  const clear = h('form', { method: 'post', action: '/messages/clear' }, h('button', null, 'Clear all'));
  return document('Caught mail', [
    h('header', null, h('h1', null, 'Caught mail'), messages.length === 0 ? null : clear),
    messages.length === 0
      ? h('p', null, 'No mail yet. Whatever this stack sends is caught here and goes nowhere else.')
      : h('p', { class: 'muted' }, count),
    h('ol', null, messages.map(entry)),
  ]);
}

export function messagePage(message: Message): string {
  const { id, subject, text, html } = message;
  return document(titleOf(subject), [
    h('nav', null, h('a', { href: '/' }, 'All mail')),
    h('h1', null, titleOf(subject)),
    h('dl', null, fact('From', message.from), fact('To', message.to), time(message), fact('ID', message.message_id)),
    html === null ? null : h('h2', null, 'HTML'),
    // No attribute lets a sandboxed frame do anything.
    html === null ? null : h('iframe', { src: `/messages/${id}/html`, sandbox: '', title: 'The mail in HTML' }),
    text === null ? null : h('h2', null, 'Text'),
    text === null ? null : h('pre', { tabindex: 0 }, text),
    h('p', null, h('a', { href: message.raw_url }, 'Raw source')),
  ]);
}

export function missingPage(): string {
  return document('Not here', [
    h('h1', null, 'There is no such mail'),
    h('p', null, 'It was cleared, or made room for newer ones.'),
    h('nav', null, h('a', { href: '/' }, 'All mail')),
  ]);
}

function entry({ id, from, to, subject, received_at: receivedAt }: Message): JSX.Element {
  return h(
    'li',
    { key: id },
    h('a', { href: `/messages/${id}` }, titleOf(subject)),
    h('span', { class: 'people' }, h('bdi', null, from), ' to ', h('bdi', null, to)),
    h('time', { class: 'muted', dateTime: receivedAt }, readable(receivedAt)),
  );
}

function fact(name: string, value: string | null): ComponentChildren {
  return value === null || value === '' ? null : [h('dt', null, name), h('dd', { dir: 'auto' }, value)];
}

function time({ received_at: receivedAt }: Message): ComponentChildren {
  return [h('dt', null, 'Received'), h('dd', null, h('time', { dateTime: receivedAt }, readable(receivedAt)))];
}

function titleOf(subject: string): string {
  return subject.trim() === '' ? '(no subject)' : subject;
}

/** `2026-11-21 20:07:25 UTC`. */
function readable(instant: string): string {
  return `${instant.slice(0, 19).replace('T', ' ')} UTC`;
}

function document(title: string, content: readonly ComponentChildren[]): string {
  const head = h(
    'head',
    null,
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('title', null, title),
    h('style', { dangerouslySetInnerHTML: { __html: STYLE } }),
  );
  return `<!doctype html>\n${renderToString(h('html', { lang: 'en' }, head, h('body', null, h('main', null, ...content))))}\n`;
}

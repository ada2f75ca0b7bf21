/** A page as a browser without scripts gets it. */
export type Page = { readonly url: string; readonly status: number; readonly headers: Headers; readonly text: string };

/** A form with the values that it stands with; buttons apart, because only the one that is pressed is sent. */
export type Form = {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly buttons: readonly Readonly<Record<string, string>>[];
};

type Asking = { readonly method?: string; readonly body?: URLSearchParams; readonly headers?: Record<string, string> };

/** Asks for a page, and goes nowhere else where it is told to. */
export async function openPage(url: string, { method = 'GET', body, headers }: Asking = {}): Promise<Page> {
  const init: RequestInit = { method, redirect: 'manual', ...(body && { body }), ...(headers && { headers }) };
  const response = await fetch(url, init);
  return { url, status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends a form as the browser does that shows its page. */
export async function submit({ method, action, fields }: Form, changes: Form['fields'] = {}): Promise<Page> {
  const body = new URLSearchParams({ ...fields, ...changes });
  // As browsers do: the fields take the place of what the address asks already.
  if (method === 'GET') return openPage(new URL(`?${body.toString()}`, action).href);
  const { origin } = new URL(action);
  return openPage(action, { method, body, headers: { origin, 'sec-fetch-site': 'same-origin' } });
}

/** Where a page leads to, but for other fragments of itself. */
export function linksIn({ text, url }: Page): readonly string[] {
  const hrefs = tagsIn(text, 'a').map(({ attributes }) => attributes['href'] ?? '');
  return hrefs.filter((href) => href !== '' && !href.startsWith('#')).map((href) => new URL(href, url).href);
}

export function formsIn({ text, url }: Page): readonly Form[] {
  return tagsIn(text, 'form').map(({ attributes, content }) => ({
    method: attributes['method']?.toLowerCase() === 'post' ? 'POST' : 'GET',
    action: new URL(attributes['action'] ?? url, url).href,
    fields: Object.fromEntries([...inputsIn(content), ...textAreasIn(content)]),
    buttons: tagsIn(content, 'button').map((button) => namedValue(button.attributes)),
  }));
}

/** The page that asks to confirm a choice. */
export async function reviewChoice(hostedUrl: string, optionId: string): Promise<Page> {
  const choosing = await openPage(hostedUrl);
  const form = formLeadingTo('/review', choosing);
  if (form === undefined) throw new Error(`nothing to choose from: ${choosing.status} ${choosing.text}`);
  return submit(form, { option: optionId });
}

/** Says "I'm interested" on the page that asks. */
export async function confirm(review: Page, note = ''): Promise<Page> {
  const form = formLeadingTo('/interest', review);
  if (form === undefined) throw new Error(`nothing to confirm: ${review.status} ${review.text}`);
  return submit(form, { note, confirmed: 'yes' });
}

/** Chooses, reviews and confirms. Gives the answer to the confirmation. */
export async function respond(hostedUrl: string, optionId: string, note = ''): Promise<Page> {
  return confirm(await reviewChoice(hostedUrl, optionId), note);
}

function formLeadingTo(place: string, page: Page): Form | undefined {
  return formsIn(page).find(({ action }) => new URL(action).pathname.endsWith(place));
}

type Tag = { readonly attributes: Readonly<Record<string, string>>; readonly content: string };

function tagsIn(html: string, name: string): readonly Tag[] {
  const tags = html.matchAll(new RegExp(`<${name}(?=[\\s>])([^>]*)>(.*?)</${name}>`, 'gs'));
  return Array.from(tags, ([, attributes = '', content = '']) => ({ attributes: attributesIn(attributes), content }));
}

function inputsIn(html: string): readonly [string, string][] {
  return Array.from(html.matchAll(/<input(?=[\s/>])([^>]*)>/g)).flatMap(([, text = '']) => {
    const attributes = attributesIn(text);
    const isLeftOut = ['radio', 'checkbox'].includes(attributes['type'] ?? '') && !('checked' in attributes);
    return isLeftOut ? [] : Object.entries(namedValue(attributes));
  });
}

function textAreasIn(html: string): readonly [string, string][] {
  return tagsIn(html, 'textarea').map(({ attributes, content }) => [
    attributes['name'] ?? '',
    // The first line break belongs to the markup.
    decode(content.replace(/^\n/, '')),
  ]);
}

function namedValue({ name, value = '' }: Tag['attributes']): Readonly<Record<string, string>> {
  return name === undefined ? {} : { [name]: value };
}

function attributesIn(text: string): Tag['attributes'] {
  const found = text.matchAll(/([a-z-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries(Array.from(found, ([, name = '', value = '']) => [name, decode(value)]));
}

function decode(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => characters[name] ?? whole);
}

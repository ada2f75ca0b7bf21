import type { Page } from 'playwright-core';

/** Every text that is shown now, each once. */
export function readTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const shown = new Set<string>();
    const range = document.createRange();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      range.selectNodeContents(node);
      if (range.getClientRects().length > 0) shown.add((node.textContent ?? '').trim());
    }
    return [...shown].filter((text) => text !== '');
  });
}

/** What cannot be read as it is laid out now: parts wider than their place, texts outside the page or over one another. */
export function findUnreadable(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pageWidth = document.documentElement.clientWidth;
    const problems: string[] = [];
    const cut = [...document.querySelectorAll('html, body *')].filter((element) => {
      const { display, overflowY } = getComputedStyle(element);
      if (display === 'inline' || element.clientWidth === 0 || element.closest('svg, textarea')) return false;
      const isHidden = overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1;
      return element.scrollWidth > element.clientWidth + 1 || isHidden;
    });
    for (const { tagName, className, scrollWidth, clientWidth, scrollHeight, clientHeight } of cut) {
      const sizes = `${scrollWidth} × ${scrollHeight} in ${clientWidth} × ${clientHeight}`;
      problems.push(`<${tagName} class="${className}"> is ${sizes}`);
    }

    type Shown = { readonly text: string; readonly of: Node; readonly box: DOMRect };
    const lines: Shown[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.closest('.skip:not(:focus)')) continue;
      range.selectNodeContents(node);
      const text = (node.textContent ?? '').trim();
      for (const box of range.getClientRects()) if (text !== '' && box.width > 0) lines.push({ text, of: node, box });
    }
    for (const { text, of, box } of lines) {
      const right = of.parentElement?.closest('svg')?.getBoundingClientRect().right ?? pageWidth;
      if (box.left < -1 || box.right > right + 1) problems.push(`"${text}" reaches from ${box.left} to ${box.right}`);
    }
    for (const [index, one] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        if (one.of === other.of) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        const isOver = across > 2 && down > 0.4 * Math.min(one.box.height, other.box.height);
        if (isOver) problems.push(`"${one.text}" and "${other.text}" lie over one another`);
      }
    }
    return problems;
  });
}

/** Sets the size of text that the user wants, in parts of the usual one. */
export async function setTextSize(page: Page, share: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 16 * share, fixed: Math.round(13 * share) } });
  await session.detach();
}

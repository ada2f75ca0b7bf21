import assert from 'node:assert/strict';

/** The value of a colour by its name, in one of the first two `:root` blocks of a style: the light one, then the dark one. */
export function coloursOf(style: string, scheme: string): (name: string) => string {
  const blocks = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) => block);
  const block = blocks[scheme === 'light' ? 0 : 1] ?? '';
  return (name) => new RegExp(`--${name}: #([0-9a-f]{6});`).exec(block)?.[1] ?? assert.fail(`${name} is missing`);
}

/** Contrast ratio of two colours `rrggbb` by WCAG, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

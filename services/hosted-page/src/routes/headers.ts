import { SCRIPT_SOURCE, STYLE_SOURCE } from '../pages/style.ts';

/**
 * On every answer. The address of a page is a secret: a referrer names the origin at most, which a browser needs to tell where
 * a form comes from (`no-referrer` would make its `Origin` null).
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `script-src ${SCRIPT_SOURCE}`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'strict-origin',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  Vary: 'Accept-Encoding, Accept-Language',
};

/** Inline, because some readers drop style sheets; figures are aligned, and long words break. */
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const INK = 'color:#1a1f26';
const MUTED = 'color:#55606e';
const BREAK = 'overflow-wrap:anywhere;word-break:break-word';
const ROW = 'border-top:1px solid #d9dee5;padding:9px 0;vertical-align:top;font-size:15px;line-height:21px';

export const STYLES = {
  page: `margin:0;padding:0;background-color:#f1f3f6;${INK};${FONT};-webkit-text-size-adjust:100%`,
  preview: 'display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px',
  column: 'max-width:600px;margin:0 auto;text-align:left',
  card: `background-color:#ffffff;border-radius:10px;padding:24px;${INK};${BREAK}`,
  paragraph: 'margin:0 0 14px;font-size:16px;line-height:24px',
  offer:
    'margin:4px 0 20px;padding:16px;border-radius:8px;background-color:#eaf2f8;font-size:20px;line-height:28px;font-weight:600',
  down: `font-size:16px;line-height:24px;font-weight:400;${MUTED}`,
  heading: 'margin:24px 0 8px;font-size:16px;line-height:24px;font-weight:600',
  table: 'border-collapse:collapse;width:100%',
  caption: 'text-align:left;padding:0 0 6px;font-size:16px;line-height:24px;font-weight:600',
  label: `${ROW};${MUTED};text-align:left;font-weight:400;padding-right:16px;overflow-wrap:normal;word-break:normal`,
  term: `${ROW};${MUTED};text-align:left;font-weight:400;padding-right:16px;white-space:nowrap`,
  figure: `${ROW};text-align:right;font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums`,
  word: `${ROW};text-align:right;${BREAK}`,
  note: 'margin:0;padding:4px 0 4px 14px;border-left:4px solid #9fb8cc;font-size:16px;line-height:24px',
  action: 'margin:28px 0;text-align:center',
  button:
    'display:inline-block;background-color:#1f5f8b;color:#ffffff;text-decoration:none;font-size:16px;line-height:24px;' +
    'font-weight:600;padding:12px 22px;border-radius:8px',
  legal: 'margin:24px 0 8px;padding-top:16px;border-top:1px solid #d9dee5;font-size:14px;line-height:21px',
  reason: `margin:0;font-size:14px;line-height:21px;${MUTED}`,
} as const;

/** Without characters that HTML would escape. */
export const DARK_STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background-color: #12161b !important; color: #e8ecf1 !important }
  .card { background-color: #1c2229 !important; color: #e8ecf1 !important }
  .offer { background-color: #22303d !important }
  .muted { color: #b0bac6 !important }
  .rule { border-color: #3a4450 !important }
  .note { border-color: #5f7d96 !important }
  .button { background-color: #8cc4ee !important; color: #0e1318 !important }
}
@media (max-width: 420px) {
  .card { padding: 18px !important }
}
`;

/** `14568.75` as `$14,568.75`. */
export function dollars(money: string): string {
  return `$${money.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',')}`;
}

/** Basis points as a percentage of two places: 1690 is `16.90%`. */
export function percent(basisPoints: number): string {
  return `${Math.floor(basisPoints / 100)}.${String(basisPoints % 100).padStart(2, '0')}%`;
}

/** Basis points as a percentage without places that say nothing: 2000 is `20%`, 1250 is `12.5%`. */
export function shortPercent(basisPoints: number): string {
  return percent(basisPoints).replace(/\.?0+%$/, '%');
}

const CENTRAL = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Chicago',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** An instant for people in Texas, and for machines: `November 21, 2026 at 2:07 PM CST (2026-11-21 20:07:25 UTC)`. */
export function bothTimes(instant: Date): string {
  const utc = instant.toISOString().slice(0, 19).replace('T', ' ');
  // Unicode's own data puts narrow spaces into times.
  return `${CENTRAL.format(instant).replace(/\s/g, ' ')} (${utc} UTC)`;
}

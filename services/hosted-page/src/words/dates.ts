/** Insureds live in Texas: times are told in its main time zone, by name. */
const TIME_ZONE = 'America/Chicago';

type Dates = {
  /** `2026-12-01` in words, without a time zone of its own. */
  readonly day: (text: string) => string;
  /** A moment to the minute, in US Central time. */
  readonly moment: (at: Date) => string;
};

export function datesIn(locale: string): Dates {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: TIME_ZONE,
    timeZoneName: 'longGeneric',
  });
  return {
    day: (text) => days.format(new Date(`${text}T00:00:00Z`)),
    // Intl writes a narrow space before "PM" that many fonts lack.
    moment: (at) => moments.format(at).replaceAll('\u202F', '\u00A0'),
  };
}

import { isCalendarDate } from '@pfq/kit/calendar-date';
import { isId } from '@pfq/kit/ids';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { BrokerStatus, KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { InvalidArgumentError } from 'commander';

/** What help offers; the gateway judges. */
export const SCOPES = [
  'quotes:write',
  'quotes:read',
  'applications:read',
  'applications:write',
  'agreements:write',
  'loans:read',
  'webhooks:manage',
] as const;

export const MODES = { live: Mode.LIVE, test: Mode.TEST } as const;
export const KEY_TYPES = { agency: KeyType.AGENCY, broker: KeyType.BROKER } as const;
const BROKER_STATUSES = {
  invited: BrokerStatus.INVITED,
  active: BrokerStatus.ACTIVE,
  inactive: BrokerStatus.INACTIVE,
} as const;

const NOTIFICATION_STATUSES = {
  pending: NotificationStatus.PENDING,
  sent: NotificationStatus.SENT,
  failed: NotificationStatus.FAILED,
} as const;

/** The public word for a mode, key type or status; "unknown" for one that is newer than this command. */
export const modeWord = (mode: Mode): string => wordOf(MODES, mode);
export const keyTypeWord = (type: KeyType): string => wordOf(KEY_TYPES, type);
export const brokerStatusWord = (status: BrokerStatus): string => wordOf(BROKER_STATUSES, status);
export const notificationStatusWord = (status: NotificationStatus): string => wordOf(NOTIFICATION_STATUSES, status);

/** Of a list that has no end, as the services have it. */
export const MOST_LISTED = 1_000;
export const USUALLY_LISTED = 100;

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/;

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST_LISTED) return limit;
  throw new InvalidArgumentError(`Say a whole number from 1 to ${MOST_LISTED}.`);
}

/** The beginning of a UTC day, or a moment of it. */
export function parseMoment(text: string): Date {
  const day = INSTANT.exec(text)?.[1] ?? text;
  const moment = new Date(text);
  if (isCalendarDate(day) && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError('Say a UTC day such as 2026-11-20 or a time such as 2026-11-20T09:30:00Z.');
}

/** A UTC day that is not over. */
export function parseLastDay(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('Say a day such as 2028-02-29.');
  if (text >= new Date().toISOString().slice(0, 10)) return text;
  throw new InvalidArgumentError('That day is over (UTC), so the key would never work.');
}

export function parseAgencyId(text: string): string {
  if (isId('agy_', text)) return text;
  throw new InvalidArgumentError(
    'Say the id of an agency such as agy_0UzKdPq3aXb81Lm2RtWc9Z; `pfq agency list` tells it.',
  );
}

export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Say on or off.');
  return text === 'on';
}

function wordOf(words: Readonly<Record<string, number>>, value: number): string {
  return Object.entries(words).find(([, known]) => known === value)?.[0] ?? 'unknown';
}

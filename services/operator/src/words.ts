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

export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Say on or off.');
  return text === 'on';
}

function wordOf(words: Readonly<Record<string, number>>, value: number): string {
  return Object.entries(words).find(([, known]) => known === value)?.[0] ?? 'unknown';
}

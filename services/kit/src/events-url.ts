import type { Setting } from './config.ts';

/** How a client of Kafka proves who it is. */
export type KafkaLogin = {
  readonly mechanism: Mechanism;
  readonly username: string;
  readonly password: string;
};

/** Where Kafka is: brokers as `host:port`, any of which tells of the others. */
export type KafkaAddress = {
  readonly kind: 'kafka';
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly sasl: KafkaLogin | null;
};

/** Where events go: to Kafka, or straight to the service that wants them, as `grpc://host:port`. */
export type EventsUrl = KafkaAddress | { readonly kind: 'grpc'; readonly url: string };

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
type Mechanism = (typeof MECHANISMS)[number];

const FORMS = {
  kafka: 'kafka://host:port[,host:port…], or kafkas://user:password@host:port[,…] for TLS and a login',
  grpc: 'grpc://host:port',
};
/** Scheme, login, brokers, parameters: several brokers are more than a URL can hold. */
const KAFKA = /^(?<scheme>kafkas?):\/\/(?:(?<login>[^@/?#]*)@)?(?<brokers>[^@/?#]+)\/?(?:\?(?<parameters>[^#]*))?$/;
const BROKER = /^(?<host>[\w.-]+|\[[\da-f:.]+\]):(?<port>\d{1,5})$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;
const HIGHEST_PORT = 65_535;

/**
 * Where events are sent to or come from. `kafkas://` is TLS, trusting what Node trusts (NODE_EXTRA_CA_CERTS adds to
 * that); a login's parts are percent-encoded, and `?mechanism=` is scram-sha-512 where it is not given.
 */
export function eventsUrl<const K extends EventsUrl['kind']>(
  variable: string,
  { schemes, ...described }: { readonly doc: string; readonly fallback?: string; readonly schemes: readonly K[] },
): Setting<Extract<EventsUrl, { kind: K }>> {
  const isWanted = (address: EventsUrl): address is Extract<EventsUrl, { kind: K }> =>
    schemes.some((scheme) => scheme === address.kind);
  return {
    variable,
    ...described,
    secret: true,
    parse(given) {
      const address = parseEventsUrl(given);
      if (address === null || !isWanted(address)) {
        throw new Error(`must be ${schemes.map((scheme) => FORMS[scheme]).join('; or ')}`);
      }
      return address;
    },
  };
}

/** Null where it is no such address. Throws what is wrong with one of Kafka, never repeating it: it may hold a password. */
function parseEventsUrl(given: string): EventsUrl | null {
  const server = /^grpc:\/\/(.+)$/.exec(given)?.[1];
  if (server !== undefined) return BROKER.test(server) ? { kind: 'grpc', url: given } : null;
  const { scheme, login, brokers: list, parameters = '' } = KAFKA.exec(given)?.groups ?? {};
  if (scheme === undefined || list === undefined) return null;
  const brokers = list.split(',');
  const hosts = brokers.map(hostOf);
  const tls = scheme === 'kafkas';
  const mechanism = mechanismOf(parameters, login !== undefined);
  if (login === undefined) return { kind: 'kafka', brokers, tls, sasl: null };
  if (!tls && !hosts.every((host) => LOOPBACK.test(host))) {
    throw new Error('must be kafkas://… where it holds a password, which would else travel unencrypted');
  }
  return { kind: 'kafka', brokers, tls, sasl: { mechanism, ...credentialsOf(login) } };
}

function hostOf(broker: string): string {
  const { host, port } = BROKER.exec(broker)?.groups ?? {};
  if (host === undefined || Number(port) < 1 || Number(port) > HIGHEST_PORT) {
    throw new Error('must name every broker as host:port, separated by commas');
  }
  return host;
}

function mechanismOf(parameters: string, hasLogin: boolean): Mechanism {
  const given = [...new URLSearchParams(parameters)];
  const chosen =
    given.length === 0 ? 'scram-sha-512' : given.length === 1 && given[0]?.[0] === 'mechanism' && given[0][1];
  const mechanism = MECHANISMS.find((one) => one === chosen);
  if (mechanism === undefined)
    throw new Error(`may end in ?mechanism= and one of ${MECHANISMS.join(', ')}, and in nothing else`);
  if (given.length > 0 && !hasLogin) throw new Error('names a mechanism, but no user:password@ to use it with');
  return mechanism;
}

function credentialsOf(login: string): { readonly username: string; readonly password: string } {
  const [username, password, ...others] = login.split(':').map(decode);
  if (!username || !password || others.length > 0) throw new Error('must have a login such as user:password@');
  return { username, password };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a login whose percent signs encode nothing');
  }
}

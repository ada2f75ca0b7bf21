import { readFileSync } from 'node:fs';

/** One environment variable: how to read it and what the generated table of settings says of it. */
export type Setting<T> = {
  readonly variable: string;
  readonly doc: string;
  /** Text as it would stand in the environment; absent where the variable must be set. */
  readonly fallback?: string;
  /** May also come from the file named by `<VARIABLE>_FILE`, and is never printed. */
  readonly secret: boolean;
  /** Throws with a phrase that completes "VARIABLE …", such as "must be a port". */
  readonly parse: (text: string) => T;
};

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type Config<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };
export type Environment = Readonly<Record<string, string | undefined>>;

type Described = { readonly doc: string; readonly fallback?: string };

/** Every problem of the environment, a line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads all settings of a service at once. Throws a ConfigError that lists every variable that is missing or wrong. */
export function readConfig<S extends Settings>(settings: S, environment: Environment): Config<S> {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, setting]) => {
    try {
      return [key, readSetting(setting, environment)];
    } catch (error) {
      problems.push(`${setting.variable} ${error instanceof Error ? error.message : String(error)}`);
      return [key, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as Config<S>;
}

function readSetting<T>(setting: Setting<T>, environment: Environment): T {
  const given = environment[setting.variable];
  const file = setting.secret ? environment[`${setting.variable}_FILE`] : undefined;
  if (given && file) throw new Error(`and ${setting.variable}_FILE are both set: keep one`);
  const chosen = given || (file && readSecret(file, `${setting.variable}_FILE`)) || setting.fallback;
  if (chosen === undefined) throw new Error(`is not set: ${setting.doc}`);
  return setting.parse(chosen);
}

function readSecret(file: string, variable: string): string {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot be read from the file that ${variable} names: ${file}`, { cause: error });
  }
  if (content === '') throw new Error(`cannot be read from the file that ${variable} names, which is empty: ${file}`);
  return content;
}

export function text(variable: string, described: Described): Setting<string> {
  return { variable, ...described, secret: false, parse: (given) => given };
}

export function flag(variable: string, described: Described): Setting<boolean> {
  return { variable, ...described, secret: false, parse: (given) => choose(['true', 'false'], given) === 'true' };
}

export function oneOf<const C extends string>(
  variable: string,
  { choices, ...described }: Described & { choices: readonly C[] },
): Setting<C> {
  return { variable, ...described, secret: false, parse: (given) => choose(choices, given) };
}

export function wholeNumber(
  variable: string,
  { min, max, ...described }: Described & { min: number; max: number },
): Setting<number> {
  return {
    variable,
    ...described,
    secret: false,
    parse(given) {
      const value = Number(given);
      if (!/^\d+$/.test(given) || value < min || value > max)
        throw new Error(`must be a whole number from ${min} to ${max}, not "${given}"`);
      return value;
    },
  };
}

/** A port; 0 takes a free one. */
export function port(variable: string, described: Described): Setting<number> {
  return wholeNumber(variable, { ...described, min: 0, max: 65_535 });
}

/** An address whose scheme chooses the engine. May hold a password, so it is treated as a secret. */
export function url(
  variable: string,
  { schemes, ...described }: Described & { schemes: readonly string[] },
): Setting<string> {
  return {
    variable,
    ...described,
    secret: true,
    parse(given) {
      const expected = schemes.map((scheme) => `${scheme}://…`).join(' or ');
      if (!URL.canParse(given) || !schemes.includes(new URL(given).protocol.slice(0, -1)))
        throw new Error(`must be a URL such as ${expected}`);
      return given.replace(/\/+$/, '');
    },
  };
}

/** A PostgreSQL database, which must be named: its client would else take what PGHOST, PGDATABASE or the user's name say. */
export function postgresUrl(variable: string, described: Described): Setting<string> {
  const anyUrl = url(variable, { ...described, schemes: ['postgres', 'postgresql'] });
  return {
    ...anyUrl,
    parse(given) {
      const parsed = anyUrl.parse(given);
      const { hostname, pathname, searchParams } = new URL(parsed);
      if ((hostname || searchParams.get('host')) && pathname.length > 1) return parsed;
      throw new Error('must name a host and a database, as in postgres://user:password@host:5432/database');
    },
  };
}

/** The address of another service: `grpc://host:port`. */
export function grpcUrl(variable: string, described: Described): Setting<string> {
  return {
    variable,
    ...described,
    secret: false,
    parse(given) {
      const parsed = URL.canParse(given) ? new URL(given) : null;
      if (parsed?.protocol !== 'grpc:' || parsed.port === '')
        throw new Error(`must be grpc://host:port, not "${given}"`);
      return given;
    },
  };
}

/** A web address that others are sent to, to which paths are added. */
export function publicUrl(variable: string, described: Described): Setting<string> {
  return {
    variable,
    ...described,
    secret: false,
    parse(given) {
      const parsed = URL.canParse(given) ? new URL(given) : null;
      const isPlain = parsed !== null && parsed.search === '' && parsed.hash === '';
      if (!isPlain || !/^https?:$/.test(parsed.protocol)) {
        throw new Error(`must be a web address such as https://quotes.example, not "${given}"`);
      }
      return given.replace(/\/+$/, '');
    },
  };
}

export function secret(
  variable: string,
  { minLength, ...described }: Described & { minLength: number },
): Setting<string> {
  return {
    variable,
    ...described,
    secret: true,
    parse(given) {
      if (given.length < minLength) throw new Error(`must have at least ${minLength} characters`);
      return given;
    },
  };
}

/** At least one secret; white space around the commas does not count. */
export function secrets(
  variable: string,
  options: { readonly doc: string; readonly minLength: number },
): Setting<readonly [string, ...string[]]> {
  const one = secret(variable, options);
  return {
    ...one,
    parse(given) {
      const [first = '', ...others] = given.split(',').map((each) => one.parse(each.trim()));
      return [first, ...others];
    },
  };
}

function choose<const C extends string>(choices: readonly C[], given: string): C {
  const chosen = choices.find((choice) => choice === given);
  if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${given}"`);
  return chosen;
}

/** Null where the variable is not set or empty. */
export function optional<T>(setting: Setting<T>): Setting<T | null> {
  return { ...setting, fallback: '', parse: (given) => (given === '' ? null : setting.parse(given)) };
}

/** A number from 0 to 1. */
export function ratio(variable: string, described: Described): Setting<number> {
  return {
    variable,
    ...described,
    secret: false,
    parse(given) {
      const value = Number(given);
      if (!/^(?:[01]|[01]?\.\d+)$/.test(given) || value > 1)
        throw new Error(`must be a number from 0 to 1, not "${given}"`);
      return value;
    },
  };
}

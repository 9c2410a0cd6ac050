import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';

const DURATION = /^(\d+)(ms|s|m|h|d)$/;
const SIZE = /^(\d+)(b|kb|mb)?$/i;
const UNITS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
};

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

const measure = (pattern: RegExp, example: string) =>
  z
    .string()
    .regex(pattern, `must be like ${example}`)
    .transform((text) => {
      const [, digits = '0', unit = 'b'] = pattern.exec(text) ?? [];
      return Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
    })
    .pipe(
      z
        .number()
        .min(1, 'must be more than nothing')
        .max(2 ** 31 - 1, 'is too much'),
    );

const address = (protocols: RegExp, what: string) =>
  z.string().refine((text) => protocols.test(text) && URL.canParse(text), `must be ${what}`);

const isOrigin = (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text);

const origins = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((origin) => origin !== ''))
  .refine((list) => list.every(isOrigin), 'must be origins like https://app.example.com, separated by commas, or *');

const isHost = (text: string) => URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text;

const hosts = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((host) => host !== ''),
  )
  .refine((list) => list.every(isHost), 'must be host names like cdn.example.com, separated by commas');

const variables = z.object({
  PORT: whole(0, 65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: address(/^https?:\/\//, 'an http:// or https:// address').optional(),
  DATABASE_URL: address(/^postgres(ql)?:\/\//, 'a postgresql:// address').optional(),
  DATABASE_POOL: whole(1, 1000).default(10),
  DATA_DIR: z.string().default('.data'),
  EVENTS_BUFFER_URL: address(/^(nats|tls):\/\//, 'a nats:// or tls:// address').optional(),
  EVENTS_URL: address(/^(clickhouse|https?):\/\//, 'a clickhouse://, http:// or https:// address').optional(),
  DEMO_KEYS: z.enum(['loopback', 'anywhere'], 'must be loopback or anywhere').default('loopback'),
  PUBLISHABLE_KEY_ACCESS: z.enum(['strict', 'extended'], 'must be strict or extended').default('strict'),
  CORS_ORIGINS: origins.default([]),
  WEB_CONCURRENCY: whole(1, 256).default(1),
  REDIS_URL: address(/^rediss?:\/\//, 'a redis:// address').optional(),
  LOG_LEVEL: z
    .enum(
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
      'must be silent, fatal, error, warn, info, debug or trace',
    )
    .default('info'),
  BODY_LIMIT: measure(SIZE, '1mb').default(1024 ** 2),
  REQUEST_TIMEOUT: measure(DURATION, '30s').default(30_000),
  SHUTDOWN_TIMEOUT: measure(DURATION, '10s').default(10_000),
  SIGNING_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  FILE_URL_TTL: measure(DURATION, '1h').default(3_600_000),
  LOGO_HOSTS: hosts.default([]),
  BILLING_ENTITIES: whole(1, 1000).default(1000),
  VIES_URL: address(/^https?:\/\//, 'an http:// or https:// address').optional(),
  JOBS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  JOBS_CONCURRENCY: whole(1, 100).default(2),
  METRICS: z.enum(['on', 'off'], 'must be on or off').default('off'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  SLOW_QUERY: measure(DURATION, '500ms').default(500),
  MAX_DEPTH: whole(1, 1000).default(12),
  MAX_ALIASES: whole(0, 10_000).default(30),
  MAX_TOKENS: whole(10, 1_000_000).default(2000),
  MAX_COST: whole(1, 1_000_000_000).default(20_000),
  INTROSPECTION: z.enum(['always', 'keys', 'never'], 'must be always, keys or never').optional(),
  RATE_LIMIT: z.union([z.literal('off'), whole(1, 1_000_000_000)], 'must be a whole number or off').default(6000),
  STATEMENT_TIMEOUT: measure(DURATION, '15s').default(15_000),
  LOCK_TIMEOUT: measure(DURATION, '5s').default(5000),
  TENANT_CONNECTIONS: whole(1, 1000).optional(),
  FAST_PATH: z.enum(['on', 'off'], 'must be on or off').default('on'),
  PERSISTED_OPERATIONS: z.string().optional(),
  PERSISTED_ONLY: z.enum(['true', 'false'], 'must be true or false').default('false'),
});

/** Every variable that is read. */
export const VARIABLES: readonly string[] = Object.keys(variables.shape);

// Where an empty value would quietly mean something that whoever wrote the name did not want: the demo instead of a database, data in
// another folder, metrics for everybody, operations that are not on the list, addresses that follow the request, limits of each
// process for itself. What stands for the others when they are empty is what is safest.
const NEVER_EMPTY = [
  'DATABASE_URL',
  'DATA_DIR',
  'EVENTS_BUFFER_URL',
  'EVENTS_URL',
  'INTROSPECTION',
  'METRICS_TOKEN',
  'PERSISTED_ONLY',
  'PERSISTED_OPERATIONS',
  'PUBLIC_URL',
  'REDIS_URL',
  'SIGNING_SECRET',
] as const satisfies readonly (keyof typeof variables.shape)[];

export type Config = Readonly<z.infer<typeof variables>>;

/** The environment has wrong values; each line of the message names one. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const isEmpty = (value: string | undefined) => value !== undefined && value.trim() === '';

/** Reads the configuration. A variable that is empty counts as absent, or is an error where that would be dangerous. Throws a ConfigError with one line a wrong value. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const empty = NEVER_EMPTY.filter((name) => isEmpty(environment[name]));
  const given = Object.fromEntries(VARIABLES.map((name) => [name, environment[name]?.trim() || undefined]));
  const { success, data, error } = variables.safeParse(given);
  const faults = [
    ...empty.map((name) => `${name} is empty: give it a value, or leave it out`),
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
  ];
  if (!success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  if (data.WEB_CONCURRENCY > 1 && !data.DATABASE_URL) {
    throw new ConfigError('WEB_CONCURRENCY needs DATABASE_URL: the embedded database serves one process');
  }
  if (data.PERSISTED_ONLY === 'true' && !data.PERSISTED_OPERATIONS) {
    throw new ConfigError('PERSISTED_ONLY needs PERSISTED_OPERATIONS');
  }
  return data;
}

// A letter in every four, and two at most: HOME is not HOST.
const MOST_MISTAKES = (name: string) => Math.min(2, Math.floor(name.length / 4));

/** What names of an environment are probably mistakes for, a line each: they are almost one that is read, and that one is not given. */
export function misspelled(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment)
    .filter((name) => !VARIABLES.includes(name))
    .map((name) => ({ name, written: name.toUpperCase(), meant: closest(name.toUpperCase(), VARIABLES) }))
    .filter(
      ({ written, meant }) => environment[meant] === undefined && distance(written, meant) <= MOST_MISTAKES(meant),
    )
    .map(({ name, meant }) => `${name} is not read: did you mean ${meant}?`);
}

/** Whether the gateway counts what it does. A token alone asks for it too. */
export const hasMetrics = ({ METRICS, METRICS_TOKEN }: Config): boolean =>
  METRICS === 'on' || METRICS_TOKEN !== undefined;

/** Where clients reach the gateway. */
export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Config): string =>
  (PUBLIC_URL ?? `http://${HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST}:${PORT}`).replace(/\/+$/, '');

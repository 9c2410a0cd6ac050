import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, hasMetrics, misspelled, publicUrl, readConfig, VARIABLES } from '../src/config.ts';

const messageOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'accepted';
};

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 4000,
      DATA_DIR: '.data',
      DATABASE_URL: undefined,
      PUBLISHABLE_KEY_ACCESS: 'strict',
      CORS_ORIGINS: [],
      WEB_CONCURRENCY: 1,
      BODY_LIMIT: 1_048_576,
      REQUEST_TIMEOUT: 30_000,
      FILE_URL_TTL: 3_600_000,
      LOGO_HOSTS: [],
      BILLING_ENTITIES: 1000,
      MAX_DEPTH: 12,
      MAX_ALIASES: 30,
      MAX_TOKENS: 2000,
      MAX_COST: 20_000,
      INTROSPECTION: undefined,
      RATE_LIMIT: 6000,
      STATEMENT_TIMEOUT: 15_000,
      PERSISTED_OPERATIONS: undefined,
    });
    expect(readConfig({ RATE_LIMIT: 'off' }).RATE_LIMIT).toBe('off');
    expect(readConfig({ RATE_LIMIT: '50' }).RATE_LIMIT).toBe(50);
  });

  it('takes empty variables for absent ones and others as they are', () => {
    const given = {
      PORT: '',
      BODY_LIMIT: '2MB',
      REQUEST_TIMEOUT: '500ms',
      FILE_URL_TTL: '2d',
      LOGO_HOSTS: 'CDN.example.com, img.example',
      CORS_ORIGINS: 'https://a.example, https://b.example:8443',
    };
    expect(readConfig(given)).toMatchObject({
      PORT: 4000,
      BODY_LIMIT: 2 * 1024 ** 2,
      REQUEST_TIMEOUT: 500,
      FILE_URL_TTL: 172_800_000,
      LOGO_HOSTS: ['cdn.example.com', 'img.example'],
      CORS_ORIGINS: ['https://a.example', 'https://b.example:8443'],
    });
  });

  it.each([
    ['PORT', 'http', 'PORT must be a whole number'],
    ['PORT', '-1', 'PORT must be a whole number'],
    ['PORT', '70000', 'PORT must be at most 65535'],
    ['PORT', '1e3', 'PORT must be a whole number'],
    ['DATABASE_URL', 'mysql://localhost/x', 'DATABASE_URL must be a postgresql:// address'],
    ['DATABASE_POOL', '0', 'DATABASE_POOL must be at least 1'],
    ['PUBLISHABLE_KEY_ACCESS', 'all', 'PUBLISHABLE_KEY_ACCESS must be strict or extended'],
    [
      'CORS_ORIGINS',
      'app.example.com',
      'CORS_ORIGINS must be origins like https://app.example.com, separated by commas, or *',
    ],
    [
      'CORS_ORIGINS',
      'https://app.example.com/',
      'CORS_ORIGINS must be origins like https://app.example.com, separated by commas, or *',
    ],
    ['DEMO_KEYS', 'everywhere', 'DEMO_KEYS must be loopback or anywhere'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be silent, fatal, error, warn, info, debug or trace'],
    ['BODY_LIMIT', 'much', 'BODY_LIMIT must be like 1mb'],
    ['FILE_URL_TTL', '1 week', 'FILE_URL_TTL must be like 1h'],
    ['LOGO_HOSTS', 'https://cdn.example', 'LOGO_HOSTS must be host names like cdn.example.com, separated by commas'],
    ['REQUEST_TIMEOUT', '30', 'REQUEST_TIMEOUT must be like 30s'],
    ['PUBLIC_URL', 'gateway.example.com', 'PUBLIC_URL must be an http:// or https:// address'],
    ['METRICS', 'yes', 'METRICS must be on or off'],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must have at least 16 characters'],
    ['SLOW_QUERY', 'soon', 'SLOW_QUERY must be like 500ms'],
    ['SIGNING_SECRET', 'short', 'SIGNING_SECRET must have at least 32 characters'],
    ['MAX_DEPTH', '0', 'MAX_DEPTH must be at least 1'],
    ['INTROSPECTION', 'some', 'INTROSPECTION must be always, keys or never'],
    ['RATE_LIMIT', '0', 'RATE_LIMIT must be at least 1'],
    ['RATE_LIMIT', 'none', 'RATE_LIMIT must be a whole number or off'],
    ['STATEMENT_TIMEOUT', '15', 'STATEMENT_TIMEOUT must be like 15s'],
    ['PERSISTED_ONLY', 'yes', 'PERSISTED_ONLY must be true or false'],
    ['PERSISTED_ONLY', 'true', 'PERSISTED_ONLY needs PERSISTED_OPERATIONS'],
    ['WEB_CONCURRENCY', '2', 'WEB_CONCURRENCY needs DATABASE_URL: the embedded database serves one process'],
  ])('%s=%s: %s', (name, value, message) => {
    expect(messageOf({ [name]: value })).toBe(message);
  });

  it.each([
    ...['DATABASE_URL', 'DATA_DIR', 'INTROSPECTION', 'METRICS_TOKEN', 'PERSISTED_ONLY', 'PERSISTED_OPERATIONS'],
    ...['PUBLIC_URL', 'REDIS_URL', 'SIGNING_SECRET', 'EVENTS_URL', 'EVENTS_BUFFER_URL'],
  ])('refuses an empty %s, for which nobody wants what its absence means', (name) => {
    const message = `${name} is empty: give it a value, or leave it out`;
    expect(messageOf({ [name]: '' })).toBe(message);
    expect(messageOf({ [name]: ' \t' })).toBe(message);
  });

  it('takes every other variable that is empty for its safest value', () => {
    const safe = { PUBLISHABLE_KEY_ACCESS: 'strict', DEMO_KEYS: 'loopback', HOST: '127.0.0.1', METRICS: 'off' };
    const names = [...Object.keys(safe), 'CORS_ORIGINS', 'LOGO_HOSTS', 'RATE_LIMIT', 'MAX_COST', 'STATEMENT_TIMEOUT'];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
    expect(readConfig({})).toMatchObject({ ...safe, CORS_ORIGINS: [], LOGO_HOSTS: [] });
  });

  it('says all that is wrong, a line each', () => {
    expect(messageOf({ DATABASE_URL: '', PORT: 'x' }).split('\n')).toHaveLength(2);
    expect(messageOf({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2);
  });
});

describe('names that are almost those of variables', () => {
  it.each([
    ['RATE_LIMT', 'RATE_LIMIT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['database_url', 'DATABASE_URL'],
    ['PORTS', 'PORT'],
  ])('%s is told of', (name, meant) => {
    expect(misspelled({ [name]: 'x', HOME: '/root' })).toEqual([`${name} is not read: did you mean ${meant}?`]);
    expect(misspelled({ [name]: 'x', [meant]: 'y' })).toEqual([]);
  });

  it("others are nobody's concern", () => {
    const names = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'PWD',
      'LANG',
      'SHELL',
      'TERM',
      'USER',
      'REDIS_HOST',
      'NODE_ENV',
      'npm_config_cache',
    ];
    expect(misspelled(Object.fromEntries([...names, ...VARIABLES].map((name) => [name, 'x'])))).toEqual([]);
  });
});

it('publicUrl is where clients come', () => {
  expect(publicUrl(readConfig({ HOST: '0.0.0.0', PORT: '80' }))).toBe('http://localhost:80');
  expect(publicUrl(readConfig({ PUBLIC_URL: 'https://billing.example.com/' }))).toBe('https://billing.example.com');
});

it('metrics are asked for by the switch or by a token', () => {
  const token = 'a token of some length';
  const asked = [{}, { METRICS: 'on' }, { METRICS_TOKEN: token }, { METRICS: 'off' }].map((environment) =>
    hasMetrics(readConfig(environment)),
  );
  expect(asked).toEqual([false, true, true, false]);
});

describe('the README', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8');
  // Other tables of the page have names in capitals too.
  const section = text.slice(text.indexOf('## Configuration'), text.indexOf('## Keys'));
  const rows = [...section.matchAll(/^\| (`[A-Z_`, ]+`) \|([^|]*)\|/gm)].map(([, names = '', value = '']) => ({
    names: [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
    value: value.trim(),
  }));

  it('names every variable, and no other', () => {
    const named = rows.flatMap(({ names }) => names);
    expect(named.sort()).toEqual([...VARIABLES].sort());
  });

  it('tells the defaults as they are', () => {
    const given: Record<string, string> = {};
    for (const { names, value } of rows) {
      const values = value.replaceAll('`', '').split(', ');
      const isList = names.length === values.length;
      if (isList) for (const [index, name] of names.entries()) given[name] = values[index] ?? '';
    }
    // Told in words: what they are without a value.
    const words = /^$|^none$|^the address|^one kept|^two thirds|^keys$/;
    const told = Object.fromEntries(Object.entries(given).filter(([, value]) => !words.test(value)));
    expect(Object.keys(told).length).toBeGreaterThan(20);
    expect(readConfig(told)).toEqual(readConfig({}));
  });
});

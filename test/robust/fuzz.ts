import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { routes } from '../../src/rest/index.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import { dice, openDemoDatabase } from '../support.ts';
import { graphqlFault, restFault } from './fuzz-answer.ts';
import { namesIn, rowsOfOthers, type WrittenRow, watchRows } from './fuzz-rows.ts';
import { type Target, targetsOf } from './fuzz-targets.ts';
import { makeAgain } from './make-again.ts';
import type { Shot } from './requests.ts';

interface Aimed extends Shot {
  readonly target: string;
}

/** So many requests, of every target some, in an order that the seed decides as it decides what they are. */
function aimed(targets: readonly Target[], count: number, seed: number): Aimed[] {
  const whole = targets.reduce((sum, { weight }) => sum + weight, 0);
  const shots = targets.flatMap(({ name, weight, shots: all }, place) => {
    const numRuns = Math.max(1, Math.round((count * weight) / whole));
    return fc.sample(all, { numRuns, seed: seed + place }).map((shot) => ({ ...shot, target: name }));
  });
  const roll = dice(seed);
  for (let at = shots.length - 1; at > 0; at -= 1) {
    const other = roll(at + 1);
    [shots[at], shots[other]] = [shots[other] as Aimed, shots[at] as Aimed];
  }
  return shots;
}

const requestOf = ({ method, path, headers, body }: Shot, key: string): Request =>
  new Request(`http://gateway.test${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...headers },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });

interface Outcome {
  readonly status: number;
  readonly refused: boolean;
  readonly text: string;
  readonly fault: string | undefined;
}

async function shoot(app: App, shot: Shot, key: string): Promise<Outcome> {
  const request = requestOf(shot, key);
  const response = await app.fetch(request);
  const text = await response.text();
  const { status } = response;
  const said = (fault: string | undefined, refused = status >= 400): Outcome => ({
    ...{ status, refused, text },
    fault: fault && `${fault}: ${status} ${text.slice(0, 300)}`,
  });
  if (status >= 500) return said('a fault of the gateway');
  // As the address reads when its dot segments are resolved.
  const { pathname } = new URL(request.url);
  const isGraphQL = pathname === '/graphql';
  // Beside both doors, and to those who want no body, only the status says something.
  const isBare = shot.method === 'HEAD' || shot.method === 'OPTIONS' || !(isGraphQL || pathname.startsWith('/api/v1'));
  const isPage = isGraphQL && status === 200 && response.headers.get('content-type')?.startsWith('text/html');
  // An operation may say that it is done and nothing else.
  const isDone = status === 200 && text === '';
  if (isBare || isPage || isDone) return said(undefined);
  if (status >= 400 && /node_modules|prisma|\bat \w+ \(/i.test(text)) return said('internals');
  let body: { readonly errors?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    return said('no JSON');
  }
  const fault = isGraphQL ? graphqlFault(status, body) : restFault(status, body);
  return said(fault, status >= 400 || body.errors !== undefined);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What a request did to rows that it may not touch, or showed of them. */
function harmOf({ refused, text }: Outcome, shot: Shot, rows: readonly WrittenRow[], whose: Whose): string | undefined {
  if (refused && rows.length > 0) return `refused, and wrote ${[...new Set(rows.map(({ name }) => name))]}`;
  const others = rows.filter(({ owner }) => owner !== null && owner !== whose.organizationId);
  if (others.length > 0) return `wrote ${others[0]?.name} of another organization`;
  // What was sent may be shown, also later: a city may be called like an identifier.
  for (const id of `${shot.path}${shot.body}`.match(UUID) ?? []) whose.sent.add(id);
  const shown = (text.match(UUID) ?? []).find((id) => whose.foreign.has(id) && !whose.sent.has(id));
  return shown && `shows ${shown} of another organization`;
}

interface Whose {
  readonly organizationId: string;
  /** Identifiers of others' rows. */
  readonly foreign: ReadonlySet<string>;
  /** Those that were sent. */
  readonly sent: Set<string>;
}

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
const heap = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed / 1024 ** 2;
};

/** What came of a run. */
interface Fuzzed {
  readonly faults: readonly string[];
  readonly statuses: Readonly<Record<number, number>>;
  /** By how many megabytes the heap grew from the second quarter to the last. */
  readonly growth: number;
  /** Targets of which every request was refused. */
  readonly never: readonly string[];
}

const MOMENT = new Date('2026-11-27T12:00:00Z');
// Documents of routes ask for whole pages with all that belongs to their objects.
const LIMITS = { cost: 10_000_000, depth: 30, aliases: 1000 };
const MADE_AGAIN_AFTER = 100;

/**
 * Sends the gateway of the demo so many requests that no client should send, to every endpoint, mutation and query, and tells what is
 * wrong: answers that are faults of the gateway or have no shape of the API's, rows that refused requests wrote, rows of others.
 */
export async function fuzz(count: number, seed: number): Promise<Fuzzed> {
  const { db, organizations } = await openDemoDatabase();
  const { id: organizationId } = await db.prisma.organization.findFirstOrThrow({ where: { name: 'Quintavel' } });
  expect(organizations.length).toBeGreaterThan(1);
  const { key } = await createKey(db.prisma, { organizationId, kind: 'secret' });
  const app = createApp({ db, now: () => MOMENT, logger: pino({ level: 'silent' }), protection: { limits: LIMITS } });
  try {
    await makeAgain(app, key);
    const known = await namesIn(db, organizationId);
    const ids = Object.keys(known).filter((name) => name.endsWith('.id'));
    const whose = {
      organizationId,
      foreign: new Set(ids.flatMap((name) => known[name]?.foreign ?? [])),
      sent: new Set<string>(),
    };
    expect(whose.foreign.size).toBeGreaterThan(50);
    const targets = targetsOf(known);
    const shots = aimed(targets, count, seed);
    // Pages are loaded when they are first asked for, and stay: that is no growth.
    await app.fetch(new Request('http://gateway.test/graphql', { headers: { Accept: 'text/html' } }));
    const others = await rowsOfOthers(db, organizationId);
    const written = await watchRows(db);
    const faults: string[] = [];
    const statuses: Record<number, number> = {};
    const quarters: number[][] = [[], [], [], []];
    const taken = new Set<string>();
    let isLess = false;
    for (const [index, { target, ...shot }] of shots.entries()) {
      const outcome = await shoot(app, shot, key);
      const { status, refused, fault } = outcome;
      statuses[status] = (statuses[status] ?? 0) + 1;
      const harm = harmOf(outcome, shot, await written(), whose);
      const tell = (what: string) => faults.push(`${target}: ${what} <- ${JSON.stringify(shot).slice(0, 1500)}`);
      if (fault) tell(fault);
      if (harm) tell(harm);
      if (!refused && !fault) taken.add(target);
      isLess ||= !refused && /DELETE|destroy|delete|terminate/.test(`${shot.method} ${target}`);
      if (isLess && index % MADE_AGAIN_AFTER === 0) {
        await makeAgain(app, key);
        await written();
        isLess = false;
      }
      if (index % Math.ceil(shots.length / 12) === 0) quarters[Math.floor((index * 4) / shots.length)]?.push(heap());
    }
    expect(await rowsOfOthers(db, organizationId)).toEqual(others);
    const least = (quarter: number) => Math.min(...(quarters[quarter] ?? []));
    const growth = Math.round((least(3) - least(1)) * 10) / 10;
    const asked = new Set(shots.map(({ target }) => target));
    expect(routes.filter(({ method, path }) => !asked.has(`${method} ${path}`))).toEqual([]);
    const never = targets.map(({ name }) => name).filter((name) => !taken.has(name));
    console.info(JSON.stringify({ seed, requests: shots.length, targets: targets.length, statuses, growth }));
    return { faults, statuses, growth, never };
  } finally {
    await app.close();
    await db.close();
  }
}

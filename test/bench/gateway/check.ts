import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Data, idOf, ORGANIZATIONS } from './data.ts';
import { explain, type Plan } from './explain.ts';
import { answerOf, startPeer, statementsFile } from './peer.ts';
import { graphql, type Peer, type Prepared, placeBefore, type Scenario, scenarios } from './scenario.ts';
import type { Server } from './server.ts';
import { openTap } from './tap.ts';

type Servers = ReadonlyMap<Peer, Server>;

async function prepare(servers: Servers, data: Data): Promise<Prepared> {
  const { deep, ...places } = placeBefore(data);
  const cursorOf = async (peer: 'gateway' | 'postgraphile') => {
    const server = servers.get(peer);
    const body = server && (await answerOf(server, places[peer], data.key));
    return (
      (body as { data: { invoices: { pageInfo: { endCursor: string } } } } | undefined)?.data.invoices.pageInfo
        .endCursor ?? ''
    );
  };
  const gateway = servers.get('gateway');
  const numbers = Array.from({ length: Math.min(20, data.own) }, (_, n) => n * ORGANIZATIONS);
  const fields = numbers.map((n) => `i${n}: invoice(svcId: "${idOf('invoice', n)}") { fileUrl }`);
  const documents = gateway && (await answerOf(gateway, graphql(`{ ${fields.join(' ')} }`), data.key));
  const urls = Object.values((documents as { data?: Record<string, { fileUrl: string }> })?.data ?? {});
  return {
    deep,
    fileUrls: urls.map(({ fileUrl }) => fileUrl.slice(new URL(fileUrl).origin.length)),
    cursor: await cursorOf('gateway'),
    peerCursor: await cursorOf('postgraphile'),
  };
}

/** Every identifier of an answer in the order in which it stands there; `rowId` is asked for as `svcId`. */
function identifiersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    (name === 'svcId' || name === 'svc_id') && typeof member === 'string' ? [member] : identifiersIn(member),
  );
}

const differ = (scenario: Scenario, peer: string, answer: unknown, first: unknown) =>
  new Error(`${scenario.name}, ${peer}:\n${JSON.stringify(answer)}\nis not\n${JSON.stringify(first)}`);

/** Everybody answers with the same rows, and but for PostGraphile with the same JSON. */
function checkSameness(scenario: Scenario, answers: ReadonlyMap<Peer, unknown>): void {
  const { shared } = scenario;
  if (!shared) return;
  const [first] = answers.values();
  for (const [peer, answer] of answers) {
    // What is beside the rows, such as a mark of the list, has no identifiers.
    if (!isDeepStrictEqual(identifiersIn(answer).toSorted(), identifiersIn(first).toSorted()))
      throw differ(scenario, peer, answer, first);
    if (peer === 'postgraphile' || isDeepStrictEqual(shared(answer), shared(first))) continue;
    throw differ(scenario, peer, shared(answer), shared(first));
  }
}

/** What a peer sent to PostgreSQL for a scenario, and how that was carried out. */
export interface Told {
  readonly scenario: string;
  readonly peer: Peer;
  readonly plans: readonly Plan[];
}

function checkPlans({ name, reads, excused }: Scenario, peer: Peer, plans: readonly Plan[]): void {
  if (peer === excused) return;
  for (const { rows, sql } of plans) {
    if (rows > reads) throw new Error(`${name}: ${peer} reads ${rows} rows, ${reads} would do:\n${sql}`);
  }
}

const WARM = 3; // what is asked again may be asked in another way

/**
 * Before anything is measured: everybody is asked the same, with what goes to PostgreSQL written down. Throws where rows or
 * texts differ, and where a statement reads more rows than an index would. Answers what is measured, and the plans.
 */
export async function checkFairness(node: string, peers: readonly Peer[], data: Data) {
  const servers = new Map<Peer, Server>();
  const tap = await openTap(data.url);
  try {
    for (const peer of peers)
      if (peer !== 'rules') servers.set(peer, await startPeer(node, peer, { ...data, url: tap.url }));
    const prepared = await prepare(servers, data);
    const told: Told[] = [];
    const chosen = scenarios(data, prepared);
    for (const scenario of chosen) {
      const answers = new Map<Peer, unknown>();
      for (const [peer, server] of servers) {
        const shot = scenario.shots[peer];
        if (!shot) continue;
        for (let n = 0; n < WARM; n += 1) await answerOf(server, shot(1), data.key);
        tap.take();
        answers.set(peer, await answerOf(server, shot(1), data.key));
        const sent = tap.take();
        const plans = await explain(data.url, sent);
        checkPlans(scenario, peer, plans);
        told.push({ scenario: scenario.name, peer, plans });
        if (peer === 'gateway' && scenario.shots.rules) writeFileSync(statementsFile, JSON.stringify(sent));
      }
      checkSameness(scenario, answers);
    }
    return { scenarios: chosen, told };
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    tap.close();
  }
}

/** Sends events to a gateway that is killed again and again, and looks at what became of each. */
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { freePort, type Running, run, temporaryFolder, untilListening } from '../process.ts';

const SUBSCRIPTIONS = 50;
const LATER = 5;
const BATCH = 50;
const CALLERS = 48;
/** The second metric comes later, with some of the customers. */
const CODES = ['calls', 'new'];

/** How an event is to end: stored, refused as one that was stored before, or as wrong. */
type Kind = 'good' | 'copy' | 'altered' | 'refused';

interface Slot {
  readonly kind: Kind;
  /** The transaction identifier, of a copy that of its original. */
  readonly id: string;
  readonly event: {
    readonly code: string;
    readonly external_subscription_id: string;
    readonly properties: { n: unknown };
  };
}

// Ten minutes of an hour ago.
const LAST = Math.floor(Date.now() / 1000) - 3600;
// All events are of one period, whatever day of the month it is.
const STARTED = new Date((LAST - 10 * 86_400) * 1000).toISOString();

/** Of a hundred events five are copies, of which one in fifty is altered; two are of customers, one of a metric that come later; one is wrong. */
function slotOf(at: number): Slot {
  const place = at % 100;
  const isCopy = place % 20 === 10 && at > 100;
  const original = isCopy ? at - 7 : at;
  const later = place === 20 || place === 21;
  const id = `event-${original}`;
  const isText = place === 40 && at % 200 === 40;
  const subscription = later ? `later-${at % LATER}` : `sub-${original % SUBSCRIPTIONS}`;
  const event = {
    ...{ transaction_id: id, code: place === 60 ? 'new' : 'calls', external_subscription_id: subscription },
    ...{ timestamp: LAST - (original % 600), properties: { n: isText ? 'many' : original % 7 } },
  };
  if (isCopy && at % 1000 === 10) return { kind: 'altered', id, event: { ...event, properties: { n: -1 } } };
  if (place === 40 && !isText) return { kind: 'refused', id, event: { ...event, ...{ timestamp: 'soon' } } };
  return { kind: isCopy ? 'copy' : 'good', id, event };
}

/** Most events go in batches, whole ones most often; the others alone. */
function requestsOf(count: number): Slot[][] {
  const requests: Slot[][] = [];
  let batch: Slot[] = [];
  for (let at = 0; at < count; at += 1) {
    const slot = slotOf(at);
    const isAlone = slot.kind === 'good' ? at % 10 === 3 : at % 300 !== 10;
    if (isAlone) requests.push([slot]);
    else if (batch.push(slot) === BATCH) {
      requests.push(batch);
      batch = [];
    }
  }
  return batch.length > 0 ? [...requests, batch] : requests;
}

const document = (subscriptions: readonly string[], metrics: readonly string[]) => ({
  organization: { name: 'Quillo' },
  billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
  billable_metrics: metrics.map((code) => ({ code, name: code, aggregation_type: 'sum_agg', field_name: 'n' })),
  plans: [
    {
      ...{ code: 'orchid', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
      charges: metrics.map((code) => ({
        ...{ code, billable_metric_code: code, charge_model: 'standard', properties: { amount: '1' } },
      })),
    },
  ],
  customers: subscriptions.map((external_id) => ({ external_id, currency: 'EUR' })),
  subscriptions: subscriptions.map((external_id) => ({
    ...{
      external_id,
      external_customer_id: external_id,
      plan_code: 'orchid',
      status: 'active',
      billing_time: 'anniversary',
    },
    ...{ started_at: STARTED, subscription_at: STARTED },
  })),
});

const named = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`);

type Details = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
type Answer = { readonly status: number; readonly body: any };

/** Posts over connections that stay open; undefined where nobody answered. */
function poster(key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return (address: string, body: object) =>
    new Promise<Answer | undefined>((resolve) => {
      const sending = request(address, { method: 'POST', agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', () => resolve(undefined));
        response.once('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve(response.complete ? { status: response.statusCode ?? 0, body: JSON.parse(text) } : undefined);
        });
      });
      sending.once('error', () => resolve(undefined)).end(JSON.stringify(body));
    });
}

export interface Outcome {
  /** What the sender was told. */
  readonly told: { readonly stored: number; readonly known: number; readonly rejected: number };
  /** Events of requests that nobody answered: each may have been written, or not. */
  readonly unanswered: number;
  readonly kills: number;
  readonly seconds: number;
  /** Distinct events that are to be stored, and copies that are not what they copy. */
  readonly distinct: number;
  readonly altered: number;
  readonly texts: number;
  readonly later: number;
  /** Counts of fates when all was sent, and once the missing customers and the metric were there. */
  readonly fates: Readonly<Record<string, number>>;
  readonly adopted: Readonly<Record<string, number>>;
  readonly fateSeconds: number;
  /** Usage by subscription and code: what a preview bills, and the sum of what was sent. */
  readonly usage: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
}

interface Trial {
  readonly events: number;
  readonly kills: number;
  /** Where the gateway keeps its rows: `DATABASE_URL` or `DATA_DIR`. */
  readonly environment: Record<string, string>;
  readonly log?: (line: string) => void;
}

async function importInto(environment: Record<string, string>, content: object): Promise<void> {
  const file = join(await temporaryFolder(), 'document.json');
  await writeFile(file, JSON.stringify(content));
  const { code, stderr } = await run(['import', file, '--organization', 'Quillo'], environment).ended;
  if (code !== 0) throw new Error(stderr);
}

/** A gateway that can be killed; whoever sends waits until it listens again. */
class Killed {
  kills = 0;
  address: Promise<string>;
  private running: Running;

  constructor(private readonly environment: Record<string, string>) {
    this.running = run([], environment);
    this.address = untilListening(this.running);
  }

  async kill(): Promise<void> {
    this.kills += 1;
    this.running.child.kill('SIGKILL');
    this.address = this.running.ended.then(() => {
      this.running = run([], this.environment);
      return untilListening(this.running);
    });
    await this.address;
  }

  async stop(): Promise<void> {
    await this.address;
    this.running.child.kill('SIGTERM');
    await this.running.ended;
  }
}

/** Sends every event until it is answered for good: stored, known or wrong. */
class Sender {
  readonly told = { stored: 0, known: 0, rejected: 0 };
  unanswered = 0;
  done = 0;
  private readonly acknowledged = new Set<string>();

  constructor(
    private readonly post: ReturnType<typeof poster>,
    private readonly gateway: Killed,
    private readonly requests: Slot[][],
  ) {}

  async send(): Promise<void> {
    for (let slots = this.requests.shift(); slots; slots = this.requests.shift()) {
      // A copy comes after what it copies.
      const isEarly = slots.some(
        ({ kind, id }) => (kind === 'copy' || kind === 'altered') && !this.acknowledged.has(id),
      );
      const left = isEarly ? slots : await this.attempt(slots);
      if (left.length > 0) this.requests.push(left);
      if (isEarly) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** Sends once; answers what is to be sent again. */
  private async attempt(slots: Slot[]): Promise<Slot[]> {
    const address = await this.gateway.address;
    const events = slots.map(({ event }) => event);
    const isBatch = slots.length > 1;
    const path = isBatch ? 'events/batch' : 'events';
    const answer = await this.post(`${address}/api/v1/${path}`, isBatch ? { events } : { event: events[0] });
    if (!answer || answer.status >= 500) {
      this.unanswered += slots.length;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return slots;
    }
    if (answer.status === 200) {
      this.told.stored += slots.length;
      for (const slot of slots) this.end(slot);
      return [];
    }
    if (answer.status !== 422) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    const details: Details = isBatch ? answer.body.error_details : { 0: answer.body.error_details };
    return slots.filter((slot, place) => {
      const isKnown = details[place]?.transaction_id?.[0] === 'value_already_exist';
      if (isKnown) this.told.known += 1;
      else this.told.rejected += 1;
      if (details[place]) this.end(slot);
      return !details[place];
    });
  }

  private end({ id, kind }: Slot): void {
    this.done += 1;
    if (kind === 'good') this.acknowledged.add(id);
  }
}

async function ask(address: string, key: string, query: string) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' };
  const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as Answer['body'];
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function fatesOf(address: string, key: string): Promise<Record<string, number>> {
  const { eventFates } = await ask(address, key, '{ eventFates { counts { fate count } } }');
  const counts = eventFates.counts.map(({ fate, count }: { fate: string; count: string }) => [fate, Number(count)]);
  return Object.fromEntries(counts);
}

/** Units that previews bill, by subscription and code. */
async function usageOf(address: string, key: string): Promise<Record<string, string>> {
  const post = poster(key);
  const usage: Record<string, string> = {};
  for (const id of [...named('sub', SUBSCRIPTIONS), ...named('later', LATER)]) {
    const asked = { customer: { external_id: id }, subscriptions: { external_ids: [id] } };
    const answer = await post(`${address}/api/v1/invoices/preview`, asked);
    for (const { units, item } of answer?.body.invoice.fees ?? []) {
      if (CODES.includes(item.code)) usage[`${id} ${item.code}`] = String(Number(units));
    }
  }
  return usage;
}

/** The same, added up from what was sent. */
function expectedUsage(slots: readonly Slot[]): Record<string, string> {
  const sums = new Map<string, number>();
  for (const id of [...named('sub', SUBSCRIPTIONS), ...named('later', LATER)]) {
    for (const code of CODES) sums.set(`${id} ${code}`, 0);
  }
  for (const { event } of slots) {
    const key = `${event.external_subscription_id} ${event.code}`;
    sums.set(key, (sums.get(key) ?? 0) + (Number(event.properties.n) || 0));
  }
  return Object.fromEntries([...sums].map(([key, sum]) => [key, String(sum)]));
}

/** Sends events under kills, each as often as it takes, then lets the customers and the metric appear that were missing. */
export async function sendUnderKills({
  events: count,
  kills,
  environment,
  log = () => undefined,
}: Trial): Promise<Outcome> {
  await importInto(environment, document(named('sub', SUBSCRIPTIONS), ['calls']));
  const { stdout } = await run(['keys', 'create', '--organization', 'Quillo'], environment).ended;
  const key = stdout.split('\n')[0] ?? '';
  const serving = { ...environment, RATE_LIMIT: 'off', PORT: await freePort() };
  const gateway = new Killed(serving);
  await gateway.address;
  const sender = new Sender(poster(key), gateway, requestsOf(count));
  const begin = performance.now();
  const sending = Promise.all(Array.from({ length: CALLERS }, () => sender.send()));
  for (let kill = 1; kill <= kills; kill += 1) {
    while (sender.done < (count * kill) / (kills + 1)) await new Promise((resolve) => setTimeout(resolve, 2));
    await gateway.kill();
    log(`killed ${kill} times, ${sender.done} of ${count} events answered`);
  }
  await sending;
  const seconds = (performance.now() - begin) / 1000;
  const asked = performance.now();
  const fates = await fatesOf(await gateway.address, key);
  const fateSeconds = (performance.now() - asked) / 1000;
  await gateway.stop();
  const all = [...named('sub', SUBSCRIPTIONS), ...named('later', LATER)];
  await importInto(environment, document(all, CODES));
  const last = new Killed(serving);
  const address = await last.address;
  const adopted = await fatesOf(address, key);
  const usage = await usageOf(address, key);
  await last.stop();
  const slots = Array.from({ length: count }, (_, at) => slotOf(at));
  const good = slots.filter(({ kind }) => kind === 'good');
  const isLater = ({ event }: Slot) => event.code === 'new' || event.external_subscription_id.startsWith('later');
  return {
    ...{ told: sender.told, unanswered: sender.unanswered, kills: gateway.kills, seconds, fates, adopted, fateSeconds },
    ...{ distinct: good.length, altered: slots.filter(({ kind }) => kind === 'altered').length },
    ...{ texts: good.filter(({ event }) => event.properties.n === 'many').length, later: good.filter(isLater).length },
    ...{ usage, expected: expectedUsage(good) },
  };
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, one) => total + one, 0);

/** What is not as it must be; nothing where all is. */
export function faultsOf(outcome: Outcome): string[] {
  const { told, unanswered, fates, adopted, distinct, altered, texts, later, usage, expected } = outcome;
  const { duplicate = 0, conflict = 0, rejected = 0, counted = 0, unmatched = 0, billed = 0, late = 0 } = fates;
  const stored = counted + unmatched + billed + late + texts;
  const sent = told.stored + told.known + told.rejected;
  const faults = {
    'each is stored once': stored === distinct,
    'what is unmatched is what was missing': unmatched === later,
    'what has no number is rejected': adopted.counted === distinct - texts && adopted.unmatched === 0,
    'the altered are conflicts': conflict >= altered && conflict <= altered + unanswered,
    'copies are duplicates': duplicate + conflict >= told.known && duplicate + conflict <= told.known + unanswered,
    'what was refused is rejected': rejected - texts >= told.rejected && rejected - texts <= told.rejected + unanswered,
    // Of what nobody answered some was written: without kills it is nothing, and they are equal.
    'fates add up to what was sent': sum(fates) >= sent && sum(fates) <= sent + unanswered,
    'nothing else changed': sum(adopted) === sum(fates),
    'usage is the sum of what was sent': Object.keys(expected).every((key) => (usage[key] ?? '0') === expected[key]),
  };
  return Object.entries(faults).flatMap(([fault, isRight]) => (isRight ? [] : [fault]));
}

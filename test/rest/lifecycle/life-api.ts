import { createKey } from '../../../src/store/access/api-key.ts';
import type {
  LifecycleCase,
  LifecycleEngine,
  LifecycleStep,
  Performed,
  PriceKind,
  View,
} from '../../billing/vectors/lifecycle-type.ts';
import type { Json } from '../../billing/vectors/vector-type.ts';
import type { LifeGateway } from './life-gateway.ts';
import { bare, durationOf, hasList, isRun, isTimeless, missingOperation, VERBS, type Verb } from './life-verb.ts';
import {
  alertView,
  creditNoteView,
  feeView,
  HIDDEN,
  hiddenView,
  inSnakeCase,
  invoiceView,
  plainView,
} from './life-view.ts';

interface Response {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
  readonly body: any;
}

type Send = (method: string, path: string, body?: unknown) => Promise<Response>;
type Graph = NonNullable<Verb['graph']>;
type Resolve = (value: unknown) => unknown;

const PAGE = 'per_page=1000';
const EVERY_STATUS = ['active', 'pending', 'terminated', 'canceled', 'incomplete'];
const DAY = 86_400_000;
/** A clock is moved by so much at once. */
const LONGEST = 700 * DAY;
const statuses = EVERY_STATUS.map((status) => `status[]=${status}`).join('&');

/** A life in an organization of its own, driven through REST by a key of it; the clock is moved by the graph. */
export async function apiEngine(gateway: LifeGateway, life: LifecycleCase): Promise<LifecycleEngine> {
  const [first] = life.steps;
  let now = Date.parse(first?.at ?? '');
  const key = await newOrganization(gateway, life, now);
  const send = sender(gateway, key);
  await settle(send, life.organization);
  const premium = life.organization.premium_integrations as string[] | undefined;
  const hasThresholds = premium === undefined || premium.includes('progressive_billing');
  const externalIds = new Map<string, string>();
  const seen = { invoices: new Set<string>(), fees: new Set<string>(), creditNotes: new Set<string>() };

  const list = async (name: string, query = ''): Promise<Json[]> => {
    const { body } = await send('GET', `/${name}?${PAGE}&${query}`);
    return body[name] as Json[];
  };
  const subscriptions = async (): Promise<View[]> => (await list('subscriptions', statuses)).map(plainView);
  const ofGraph = async (query: string, variables: Json = {}): Promise<Json> => {
    const { data, errors } = await gateway.graphql(key, query, variables);
    if (!data || errors) throw new Error(`the graph does not answer: ${JSON.stringify(errors)}`);
    return data;
  };
  const invoice = async (id: string): Promise<View> => {
    const shown = bare((await send('GET', `/invoices/${id}`)).body as Json);
    const { invoice: more } = await ofGraph(INVOICE, { id });
    return invoiceView(shown, more as Json);
  };
  const hidden = async (): Promise<View[]> => {
    const rows = await gateway.db.prisma.invoice.findMany({
      where: { organization: { name: `Life ${life.id}` }, status: { in: ['open', 'closed'] } },
      include: HIDDEN,
    });
    return rows.map(hiddenView);
  };
  /** REST lists the final ones; drafts are as the graph shows them. */
  const creditNotes = async (): Promise<View[]> => {
    const { creditNotes: all } = await ofGraph(CREDIT_NOTES);
    const nodes = (all as { nodes: Json[] }).nodes.map(inSnakeCase) as Json[];
    const shown = await list('credit_notes');
    return nodes.map((note) => creditNoteView(shown.find(({ svc_id: id }) => id === note.svc_id) ?? note, note));
  };
  const alerts = async (): Promise<View[]> => {
    const names = new Set((await subscriptions()).map(({ external_id: id }) => encodeURIComponent(String(id))));
    const answers = await Promise.all([...names].map((id) => send('GET', `/subscriptions/${id}/alerts?${PAGE}`)));
    return answers.flatMap(({ body }) => ((body.alerts ?? []) as Json[]).map(alertView));
  };

  const advance = async (to: number) => {
    while (to > now) {
      now = Math.min(to, now + LONGEST);
      const { errors } = await gateway.graphql(key, CLOCK, { to: new Date(now).toISOString() });
      if (errors) throw new Error(`the clock does not move: ${JSON.stringify(errors)}`);
    }
  };
  /**
   * Moves the clock to a step. The clock does all that is due, each at its moment; a run of a case does what is due on its day: what came
   * before is not of that step. An operation that does the same at any time is done where the clock stands.
   */
  const moveTo = async (step: LifecycleStep) => {
    const { do: verb, at: text } = step;
    if (isTimeless(verb)) return;
    const at = Date.parse(text);
    await advance(isRun(verb) ? at - DAY : at);
    await made();
    if (isRun(verb)) await advance(Math.max(at, now + durationOf(step)));
  };
  const fresh = (kind: keyof typeof seen, views: readonly View[]) => {
    const added = views.filter(({ id }) => !seen[kind].has(id));
    for (const { id } of added) seen[kind].add(id);
    return added;
  };
  const made = async () => {
    const invoices = fresh('invoices', (await list('invoices')).map(plainView));
    // One that was hidden and becomes visible is not new.
    for (const { id } of await hidden()) seen.invoices.add(id);
    const fees = (await list('fees')).filter(({ svc_invoice_id: id }) => id === null).map(feeView);
    return {
      invoices: await Promise.all(invoices.map(({ id }) => invoice(id))),
      fees: fresh('fees', fees),
      creditNotes: fresh('creditNotes', await creditNotes()),
    };
  };

  const externalId = (given: unknown) => externalIds.get(String(given)) ?? String(given);
  /** What stands in a path, in its order. */
  const placesOf = async (verb: Verb, on: unknown, resolve: Resolve): Promise<string[]> => {
    if (typeof on !== 'object' || on === null) return on === undefined ? [] : [externalId(resolve(on))];
    const { subscription, plan_code: plan, filter, ...rest } = on as Json;
    const owner = subscription === undefined ? plan : externalId(resolve(subscription));
    const places = [...(owner === undefined ? [] : [owner]), ...Object.values(rest)].map((one) => String(resolve(one)));
    return filter === undefined ? places : [...places, await filterOf(verb, places, String(filter))];
  };
  /** Filters are named by what they are called on invoices. */
  const filterOf = async ({ route }: Verb, places: readonly string[], name: string): Promise<string> => {
    const path = filled(route.split(' ')[1] ?? '', [...places, '']).replace(/\/[^/]*$/, '');
    const { body } = await send('GET', `${path}?${PAGE}`);
    const found = (body.filters as Json[]).find((one) => one.invoice_display_name === name);
    return String(found?.svc_id);
  };
  const bodyOf = ({ do: verb, with: body = {} }: LifecycleStep, resolve: Resolve) => {
    const { usage_thresholds: thresholds, ...rest } = deeply(body, resolve) as Json;
    // The service bills at thresholds in every organization: where it is off, none are there.
    const isLeft = thresholds === undefined || (verb.endsWith('_plan') && !hasThresholds);
    const members: Json = isLeft ? rest : { ...rest, usage_thresholds: thresholds };
    const { events } = members;
    return Array.isArray(events) ? { ...members, events: events.map(inSeconds) } : inSeconds(members);
  };
  const ofOperation = async ({ documents, variables }: Graph, [svcId]: readonly string[], members: Json) => {
    const sent = { svcId, ...variables(members) };
    let answer: Response = { status: 422, body: {} };
    for (const document of documents) {
      const { data, errors } = await gateway.graphql(key, document, sent);
      // The last of its operations is the one that is asked for.
      const [name, shown] = Object.entries(data ?? {}).at(-1) ?? [];
      answer =
        errors || name === undefined ? { status: 422, body: { errors } } : { status: 200, body: { [name]: shown } };
      if (answer.status === 200) break;
    }
    return answer;
  };
  const call = async (step: LifecycleStep, verb: Verb, resolve: Resolve): Promise<Response> => {
    const [method = '', path = ''] = verb.route.split(' ');
    const members = step.with && bodyOf(step, resolve);
    if (verb.graph) return ofOperation(verb.graph, await placesOf(verb, step.on, resolve), members ?? {});
    const target = filled(path, await placesOf(verb, step.on, resolve));
    if (verb.asQuery) return send(method, `${target}?${new URLSearchParams(members as Record<string, string>)}`);
    const body = verb.root === undefined || members === undefined ? members : { [verb.root]: members };
    return send(method, target, body);
  };
  const perform = async (step: LifecycleStep, resolve: Resolve): Promise<Response | undefined> => {
    if (step.do === 'stub_vies') {
      gateway.register.answer = String(step.with?.outcome) as 'valid' | 'unavailable';
      return undefined;
    }
    const verb = VERBS[step.do];
    if (verb === undefined) return undefined;
    const answer = await call(step, verb, resolve);
    if (answer.status >= 400 && step.expect?.error === undefined) {
      throw new Error(`${step.do} at ${step.at}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer;
  };
  /** The subscription that a step began: one of a cheaper plan waits behind the one that is answered. */
  const begun = async ({ with: body = {} }: LifecycleStep, answer: Response): Promise<Json> => {
    const one = bare(answer.body as Json);
    const all = (await subscriptions()).filter(({ external_id: id }) => id === one.external_id);
    for (const { id, external_id: external } of all) externalIds.set(id, String(external));
    return all.find(({ status, plan_code: plan }) => status === 'pending' && plan === body.plan_code) ?? one;
  };
  /** What the step's name stands for. */
  const namesOf = async (
    step: LifecycleStep,
    verb: Verb | undefined,
    answer: Response | undefined,
  ): Promise<Record<string, string>> => {
    if (verb?.key === undefined || answer === undefined || answer.status >= 400) return {};
    const object = verb.root === 'subscription' ? await begun(step, answer) : bare(answer.body as Json);
    const one = ((object.wallet_transactions as Json[] | undefined)?.[0] ?? object) as Json;
    return { '': String(one[verb.key]), '.svc_id': String(one.svc_id) };
  };
  const customerOf = async (id: string) => {
    const subscription = (await subscriptions()).find((one) => one.id === id);
    return encodeURIComponent(String(subscription?.external_customer_id));
  };

  const readers: Readonly<Record<string, (id: string) => Promise<View | undefined>>> = {
    invoices: invoice,
    fees: async (id) => feeView(bare((await send('GET', `/fees/${id}`)).body as Json)),
    hidden_invoices: async (id) => (await hidden()).find((one) => one.id === id),
    subscriptions: async (id) => (await subscriptions()).find((one) => one.id === id),
    credit_notes: async (id) => (await creditNotes()).find((one) => one.id === id),
    customers: async (id) => ({
      ...bare((await send('GET', `/customers/${encodeURIComponent(id)}`)).body as Json),
      id,
    }),
    applied_coupons: async (id) => (await list('applied_coupons')).map(plainView).find((one) => one.id === id),
    alerts: async (id) => (await alerts()).find((one) => one.id === id),
  };
  const lists: Readonly<Record<string, () => Promise<readonly View[]>>> = {
    subscriptions,
    invoices: async () => Promise.all((await list('invoices')).map(({ svc_id: id }) => invoice(String(id)))),
    fees: async () => (await list('fees')).map(feeView),
    credit_notes: creditNotes,
    hidden_invoices: hidden,
    alerts,
  };
  /** Things that have no view of their own are counted as REST lists them. */
  const listed = async (kind: string): Promise<readonly View[] | undefined> => {
    if (lists[kind]) return lists[kind]();
    return hasList(kind) ? (await list(kind)).map(plainView) : undefined;
  };

  return {
    unable: (step) => (isByHand(life, step) ? null : missingOperation(step)),
    async perform(given, resolve): Promise<Performed> {
      const step = byHand(life, given);
      await moveTo(step);
      const answer = await perform(step, resolve);
      const { status = 200, body = {} } = answer ?? {};
      return {
        ...(await made()),
        named: await namesOf(step, VERBS[step.do], answer),
        ...(answer && { answer: { status, body: bare((body ?? {}) as Json) } }),
      };
    },
    read: async (name, id) => readers[name]?.(id),
    async currentUsage(id, query) {
      const asked = Object.entries({ external_subscription_id: externalId(id), ...query });
      const text = asked.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]);
      const parameters = new URLSearchParams(text as string[][]);
      const { body } = await send('GET', `/customers/${await customerOf(id)}/current_usage?${parameters}`);
      return usageView(bare(body as Json));
    },
    async lifetimeUsage(id) {
      const { body } = await send('GET', `/subscriptions/${encodeURIComponent(externalId(id))}/lifetime_usage`);
      const usage = bare(body as Json);
      const both = [usage.invoiced_usage_amount_cents, usage.current_usage_amount_cents] as string[];
      return { total_amount_cents: both.reduce((sum, cents) => sum + Number(cents), 0), ...usage };
    },
    async dailyUsages(svcId) {
      const id = Buffer.from(`BillingSubscription:${svcId}`).toString('base64');
      const { node } = await ofGraph(DAILY_USAGES, { id });
      return (node as { dailyUsages: { nodes: Json[] } }).dailyUsages.nodes;
    },
    async all(kind, of) {
      const things = await listed(kind);
      // Events name a subscription as the caller does; of several that one may call so, fees say whose they are.
      const isOf = (one: View) => !('subscription' in one) && one.external_subscription_id === externalId(of);
      return things?.filter((one) => of === null || belongs(one, of) || isOf(one));
    },
    async price(kind: PriceKind, of, code) {
      const subscription = externalIds.has(of) && (await subscriptions()).find(({ id }) => id === of);
      const [owner, name] = subscription ? ['subscriptions', subscription.external_id] : ['plans', of];
      const place = [owner, name, kind, code].map((part) => encodeURIComponent(String(part))).join('/');
      const state = subscription ? `?subscription_status=${String(subscription.status)}` : '';
      const { status, body } = await send('GET', `/${place}${state}`);
      return status === 200 ? priceView(bare(body as Json)) : undefined;
    },
    tells: (member) => !UNBUILT.includes(member),
  };
}

/** No provider is connected here: what one would tell of a first payment is told by hand. */
const isByHand = ({ area }: LifecycleCase, { do: verb, with: body = {} }: LifecycleStep): boolean =>
  area === 'subscriptions.payment_gated' &&
  (verb === 'payment_event' || (verb === 'stub_payment_provider' && body.outcome === 'processing'));

/** The clock does all that is due: where a case lets nothing expire although it is paid late, there is no time to pay. */
function byHand({ steps }: LifecycleCase, step: LifecycleStep): LifecycleStep {
  const { do: verb, with: body = {} } = step;
  if (verb === 'payment_event') return { ...step, do: 'update_invoice', with: { payment_status: body.outcome } };
  const expires = steps.some((one) => JSON.stringify(one.with?.tasks ?? []).includes('expire_incomplete'));
  if (body.activation_rules === undefined || expires) return step;
  return { ...step, with: { ...body, activation_rules: [{ type: 'payment', timeout_hours: 0 }] } };
}

const DAILY_USAGES = `query ($id: ID!) {
  node(id: $id) {
    ... on BillingSubscription { dailyUsages(first: 100) { nodes { usage_date: usageDate amount_cents: amountCents } } }
  }
}`;
const INVOICE = 'query ($id: UUID!) { invoice(svcId: $id) { voidedAt taxStatus } }';
const CREDIT_NOTES = `{
  creditNotes(first: 100) {
    nodes {
      svcId svcInvoiceId number sequentialId status creditStatus refundStatus reason description currency issuingDate
      totalAmountCents taxesAmountCents taxesRate subTotalExcludingTaxesAmountCents couponsAdjustmentAmountCents
      balanceAmountCents creditAmountCents refundAmountCents offsetAmountCents
      items { svcId amountCents preciseAmountCents }
      customer { externalId }
    }
  }
}`;
/** What credit notes that are written by hand could take, and what alerts saw: neither is built. */
const UNBUILT = ['creditable_amount_cents', 'refundable_amount_cents', 'previous_value', 'last_processed_at'];
const CLOCK = 'mutation ($to: DateTime!) { advanceClock(input: { to: $to }) { testClockAt } }';

async function newOrganization({ db }: LifeGateway, life: LifecycleCase, now: number): Promise<string> {
  const data = { name: `Life ${life.id}`, testClockAt: new Date(now) };
  const { id: organizationId } = await db.prisma.organization.create({ data });
  return (await createKey(db.prisma, { organizationId, kind: 'secret' })).key;
}

/** Settings of the organization, as far as they are not what the service has by itself. */
async function settle(send: Send, { premium_integrations: _, ...settings }: Json): Promise<void> {
  const { eu_tax_management: managed, invoice_grace_period, ...members } = settings;
  const rest = {
    ...members,
    ...(invoice_grace_period !== undefined && { billing_configuration: { invoice_grace_period } }),
  };
  // The country is known before its taxes are managed.
  for (const organization of managed === undefined ? [rest] : [rest, { eu_tax_management: managed }]) {
    const { status, body } = await send('PUT', '/organizations', { organization });
    if (status !== 200) throw new Error(`the organization is refused: ${JSON.stringify(body)}`);
  }
}

function sender({ app }: LifeGateway, key: string): Send {
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await app.fetch(new Request(`http://gateway.test/api/v1${path}`, sent));
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
}

/** Moments of events are seconds to the API. */
function inSeconds(sent: Json): Json {
  const { timestamp } = sent;
  const isText = typeof timestamp === 'string' && timestamp.includes('T');
  return isText ? { ...sent, timestamp: Date.parse(timestamp) / 1000 } : sent;
}

/** A path with its places filled, in their order. */
function filled(path: string, places: readonly string[]): string {
  let at = 0;
  return path.replace(/\{[^}]*\}/g, () => encodeURIComponent(places[at++] ?? ''));
}

/** A body with all that is named in it resolved. */
function deeply(value: unknown, resolve: Resolve): unknown {
  if (Array.isArray(value)) return value.map((one) => deeply(one, resolve));
  if (typeof value !== 'object' || value === null) return resolve(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deeply(one, resolve)]));
}

function priceView(price: Json): Json {
  const filters = (price.filters ?? []) as Json[];
  return {
    ...price,
    filters: filters.map((filter) => ({ ...filter, value_keys: Object.keys((filter.values ?? {}) as Json) })),
  };
}

function usageView(usage: Json): Json {
  const charges = (usage.charges_usage ?? []) as Json[];
  return {
    ...usage,
    charge_count: charges.length,
    charges_usage: charges.map((charge) => ({
      ...charge,
      filters_count: ((charge.filters ?? []) as Json[]).length,
      grouped_count: ((charge.grouped_usage ?? []) as Json[]).length,
    })),
  };
}

/** Whether a thing belongs to a subscription or a customer. */
function belongs(view: View, of: string): boolean {
  const periods = (view.billing_periods ?? []) as Json[];
  const { customer, ...own } = view;
  const owners = [own.subscription, own.external_customer_id, own.invoice, own.svc_invoice_id, own.plan_code];
  return (
    owners.includes(of) ||
    (customer as Json | undefined)?.external_id === of ||
    periods.some((period) => period.subscription === of)
  );
}

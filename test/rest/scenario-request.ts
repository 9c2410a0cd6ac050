import type { CustomerJson, ScenarioJson, SetupJson, SubscriptionJson } from '../billing/vectors/scenario-type.ts';
import { externalIdsOf, type ScenarioDocument, type ScenarioParams, subscriptionsOf } from './scenario-document.ts';

export interface ScenarioRequest {
  readonly body: Record<string, unknown>;
  readonly now: Date;
}

/** Why a scenario cannot be told in a request; null when it can. */
export function untellable({ setup, action }: ScenarioJson): string | null {
  if (setup.organization === null) return 'a request always has an organization: its key decides it';
  if (setup.tax_provider) return 'taxes are never asked from elsewhere';
  if ((setup.fees ?? []).length > 0 || (setup.progressive_invoices ?? []).length > 0) return 'fees are computed';
  const subscriptions = subscriptionsOf(setup);
  const hasParts = subscriptions.some(({ next, previous }) => isObject(next) || isObject(previous));
  if (hasParts) return 'a subscription that is stated in part cannot be stored';
  const ended = subscriptions.find(({ status }) => status === 'terminated');
  const made = subscriptions.find(({ persisted }) => persisted === false);
  const isStrange = ended !== undefined && made !== undefined && ended.next !== made.id;
  return isStrange && action.params === undefined
    ? 'a plan change that is asked for links both subscriptions, and bills the new one only in advance'
    : null;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function given(setup: SetupJson, { persisted: _, ...customer }: CustomerJson) {
  const { name, currency, timezone } = customer;
  const members = { name, currency, timezone: timezone ?? setup.timezone };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}

function customerOf(setup: SetupJson, { externalCustomerId }: ScenarioDocument) {
  if (externalCustomerId !== undefined) return { external_id: externalCustomerId };
  return setup.customer ? given(setup, setup.customer) : { external_id: 'nobody' };
}

const proposal = ({ plan, billing_time, subscription_at, started_at }: SubscriptionJson) => ({
  plan_code: plan,
  billing_time: billing_time ?? 'calendar',
  subscription_at: started_at ?? subscription_at,
});

/** The request that leads to the subscriptions that are to be billed. */
function requestOf(setup: SetupJson, { subscriptions }: ScenarioDocument, now: string) {
  const external_ids = [...new Set(subscriptions.map(({ externalId }) => externalId))];
  const isStored = (json: SubscriptionJson) => subscriptions.some((one) => one.json === json);
  const made = subscriptionsOf(setup).find((json) => !isStored(json));
  const ended = subscriptions.find(({ json }) => json.status === 'terminated');
  if (ended && made) return { subscriptions: { external_ids, plan_code: made.plan } };
  if (ended) return { subscriptions: { external_ids, terminated_at: ended.json.terminated_at ?? now } };
  if (made) return proposal(made);
  return external_ids.length > 0 ? { subscriptions: { external_ids } } : {};
}

/** A termination is asked for before it happens. */
function momentOf(setup: SetupJson, body: object, now: Date): Date {
  const asked = (body as ScenarioParams).subscriptions;
  const end = Array.isArray(asked) || setup.subscription?.status !== 'terminated' ? undefined : asked?.terminated_at;
  return end === undefined || new Date(end) > now ? now : new Date(Date.parse(end) - 1000);
}

/** The request of a scenario: what it states, and what follows from whom and what it bills. */
export function scenarioRequest({ setup, action }: ScenarioJson, stored: ScenarioDocument): ScenarioRequest {
  const params = (action.params ?? {}) as ScenarioParams;
  const now = new Date(action.now as string);
  const whole = params.plan_code !== undefined || externalIdsOf(params).length > 0;
  const derived = action.type === 'preview' && !whole ? requestOf(setup, stored, action.now as string) : {};
  const customer = params.customer ?? customerOf(setup, stored);
  const body = { ...derived, ...params, customer };
  return { body, now: action.params === undefined ? momentOf(setup, body, now) : now };
}

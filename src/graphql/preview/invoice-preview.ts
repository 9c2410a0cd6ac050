import type { UsageSource } from '../../billing/aggregate/metric-usage.ts';
import { invalid, notFound } from '../../billing/errors.ts';
import { dec } from '../../billing/money/decimal.ts';
import { checkStated, statedText } from '../../billing/preview/check.ts';
import { previewCoupons } from '../../billing/preview/coupon.ts';
import type { PreviewMode, PreviewRequest, RequestedCoupon } from '../../billing/preview/preview-type.ts';
import { checkIntegrations, chooseBillingEntity } from '../../billing/preview/request.ts';
import { ownEntityCode } from '../../billing/preview/selection.ts';
import { zoneOf } from '../../billing/subscription/billed-subscription.ts';
import { isMembers } from '../../billing/usage/value.ts';
import { previewHash } from '../../store/account/agreed-hash.ts';
import { entityInput } from '../../store/account/customer-input.ts';
import type { StoredAccount } from '../../store/account/load-account.ts';
import { loadPreview, type PreviewNames, type PreviewRows } from '../../store/account/preview.ts';
import { builder } from '../base/builder.ts';
import type { Context } from '../context.ts';
import { type PreviewTask, previewWith } from './compute.ts';
import { type InvoicePreviewArgs as Input, InvoicePreviewInput } from './input.ts';
import { type PreviewView, previewView } from './view.ts';

const Mode = builder.enumType('PreviewMode', {
  description: 'What a preview bills.',
  values: {
    proposal: { description: 'A new subscription.' },
    projection: { description: 'The next invoice of subscriptions that exist.' },
    termination: { description: 'The end of a subscription.' },
    plan_change: { description: 'The change of a subscription to another plan.' },
  } satisfies Record<PreviewMode, object>,
});

/** The stored types' fields are laid over this type when the schema is made: see twin.ts. */
const InvoicePreview = builder.objectRef<PreviewView>('InvoicePreview').implement({
  description:
    'An invoice as it would be issued. Nothing of it is stored; its identifiers are made for this one answer.',
  fields: (t) => ({
    mode: t.field({
      type: Mode,
      description: 'What is previewed.',
      resolve: (preview) => preview.mode,
    }),
    hash: t.string({
      description:
        'Names what the preview says in figures and days, and the prices of its plans. Who is to do what was previewed may name it: it is refused where the preview would be another one by now. It holds for a day at most, since days are billed, and where usage is weighed by time not that long.',
      resolve: ({ computed: { preview, plans } }) => previewHash(preview, plans),
    }),
  }),
});

const present = <T>(values: readonly (T | null | undefined)[]) => values.filter((value): value is T => value != null);

function namesOf({ customer, billingEntityCode, planCode, subscriptions, coupons }: Input): PreviewNames {
  return {
    externalCustomerId: customer?.externalId,
    billingEntityCode,
    planCodes: present([planCode, subscriptions?.planCode]),
    externalSubscriptionIds: subscriptions?.externalIds ?? [],
    couponCodes: present((coupons ?? []).map(({ code }) => code)),
    namesIntegrations: (customer?.integrationCustomers ?? []).length > 0,
  };
}

/** What an event tells: an object. */
function propertiesOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given == null) return {};
  if (!isMembers(given)) throw invalid({ properties: ['value_is_invalid'] }, { properties: { limit: 'an object' } });
  return given;
}

function requestOf({ planCode, billingTime, subscriptionAt, subscriptions, usage }: Input): PreviewRequest {
  return {
    ...{ planCode, billingTime: billingTime as string | null | undefined, subscriptionAt, subscriptions },
    usage: (usage ?? []).map(({ metricCode, units, events }) => ({
      metricCode,
      units: units == null ? null : dec(units),
      events: events?.map((event) => ({
        properties: propertiesOf(event.properties),
        timestamp: event.timestamp?.getTime() ?? null,
        preciseTotalAmountCents: event.preciseTotalAmountCents ?? null,
      })),
    })),
  };
}

const couponsOf = ({ coupons }: Input): RequestedCoupon[] =>
  (coupons ?? []).map(
    ({ code, name, couponType, amountCents, amountCurrency, percentageRate, frequency, ...rest }) => ({
      ...{ code, name, amountCents, currency: amountCurrency },
      ...{ periods: rest.frequencyDuration, periodsRemaining: rest.frequencyDurationRemaining },
      type: couponType as RequestedCoupon['type'],
      rate: percentageRate == null ? null : dec(percentageRate),
      frequency: frequency as RequestedCoupon['frequency'],
    }),
  );

/** A customer that is made up has nothing of its own but what the request says. */
const MADE_UP = {
  id: 'customer',
  externalId: '',
  stored: false,
  finalizeZeroAmountInvoice: 'inherit',
  taxes: [],
} as const;
const NOTHING = { subscriptions: [], pastInvoices: [], coupons: [], creditNotes: [], wallets: [] };

function accountOf(rows: PreviewRows, input: Input, entity: PreviewRows['entities'][number]): PreviewTask['account'] {
  const { customer = MADE_UP, ...stored } = rows.account ?? (NOTHING as Partial<StoredAccount>);
  const { timezone, currency } = input.customer ?? {};
  return {
    ...NOTHING,
    ...stored,
    billingEntity: entityInput(entity),
    customer: {
      ...customer,
      // The customer's zone is its own entity's, whichever bills.
      ...(timezone === undefined ? {} : { timezone: zoneOf({ timezone }, rows.account?.billingEntity ?? entity) }),
      ...(currency === undefined ? {} : { currency }),
    },
    coupons: previewCoupons(stored.coupons ?? [], couponsOf(input), rows.coupons),
  };
}

/** The entity that bills: the one asked for, the named subscriptions' own, the stored customer's, or the default one. */
function entityOf({ entities, account }: PreviewRows, { billingEntityCode, subscriptions }: Input) {
  const active = entities.filter(({ archivedAt }) => archivedAt === null);
  const ownCode = account && ownEntityCode(subscriptions?.externalIds ?? [], account.subscriptions);
  const own = entities.find(({ code }) => code === (ownCode ?? account?.billingEntity.code));
  return chooseBillingEntity(billingEntityCode, active, own ?? active[0] ?? null);
}

const CODES = ['currency', 'country', 'timezone'] as const;

/** The request with codes that are blank as those that are null. */
function withoutBlanks(input: Input): Input {
  const { customer } = input;
  if (!customer) return input;
  const codes = CODES.filter((name) => customer[name] !== undefined).map((name) => [name, statedText(customer[name])]);
  return { ...input, customer: { ...customer, ...Object.fromEntries(codes) } };
}

async function preview(
  { db, now, signal, preview: compute, checksTypes }: Context,
  given: Input,
): Promise<PreviewView> {
  const input = withoutBlanks(given);
  // REST answers 404, as its clients expect.
  if (checksTypes && !input.planCode && !input.subscriptions?.externalIds?.length) {
    throw invalid({ plan_code: ['value_is_mandatory'] });
  }
  const question = (rows: PreviewRows) => {
    const entity = entityOf(rows, input);
    const task = taskOf(rows, input, entity, now);
    return { task: { ...task, entity }, ask: (usage: UsageSource) => previewWith(task, usage) };
  };
  const { rows, task, usage } = await loadPreview(db, namesOf(input), now, question, signal);
  const { entity, ...computed } = task;
  const result = await compute({ ...computed, usage });
  return previewView({ preview: result, rows, input, entity }, now);
}

/** What is computed. Throws what the request's own checks throw. */
function taskOf(
  rows: PreviewRows,
  input: Input,
  entity: PreviewRows['entities'][number],
  now: Date,
): Omit<PreviewTask, 'usage'> {
  if (input.customer?.externalId !== undefined && !rows.customer) throw notFound('customer');
  const named = input.customer?.integrationCustomers ?? [];
  const connections = named.map(({ integrationType, integrationCode }) => ({
    type: integrationType,
    code: integrationCode,
  }));
  checkIntegrations(connections, rows.integrations);
  checkStated(input.customer ?? {}, couponsOf(input));
  const account = accountOf(rows, input, entity);
  const catalogue = { plans: rows.plans, billingEntityCode: input.billingEntityCode };
  return { request: requestOf(input), account, catalogue, now: now.getTime() };
}

builder.queryField('invoicePreview', (t) =>
  t.field({
    type: InvoicePreview,
    nullable: true,
    description: 'The invoice that would be issued: for a new subscription, or for what happens to those that exist.',
    args: { input: t.arg({ type: InvoicePreviewInput, required: true, description: 'What is asked for.' }) },
    extensions: { permission: 'invoice:write' },
    resolve: (_root, { input }, context) => preview(context, input),
  }),
);

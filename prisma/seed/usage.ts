import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { type EventRow, type PlanRow, type SubscriptionRow, timeText } from './document.ts';
import { HORIZON } from './moments.ts';
import { Random } from './random.ts';

type Properties = Record<string, unknown>;
interface Usage {
  readonly properties: Properties;
  readonly cents?: string;
}
/** One report of usage; `rank` counts those of the subscription, `size` tells how large the customer is. */
type Report = (random: Random, rank: number, size: number) => Usage;

const REGIONS = ['eu-west', 'us-east', 'ap-north'] as const;
const GIGABYTES = ['12', '35', '-8', '21.5', '-4', '40'] as const;

const REPORTS: Readonly<Record<string, { readonly perMonth: number; readonly report: Report }>> = {
  api_calls: {
    perMonth: 3,
    report: (random, _rank, size) => ({
      properties: { count: random.whole(1500, 24_000) * size, region: random.one(REGIONS) },
    }),
  },
  storage: { perMonth: 2, report: (_random, rank) => ({ properties: { gb: GIGABYTES[rank % GIGABYTES.length] } }) },
  // Somebody comes; every fourth time the one who came three reports before goes.
  seats: {
    perMonth: 1,
    report: (_random, rank) => ({
      properties:
        rank % 4 === 3 ? { user_id: `user-${rank - 3}`, operation_type: 'remove' } : { user_id: `user-${rank}` },
    }),
  },
  connections: {
    perMonth: 2,
    report: (random, _rank, size) => ({ properties: { open: random.whole(20, 90) * size } }),
  },
  payments: {
    perMonth: 5,
    report: (random) => ({
      properties: {
        amount: random.decimal(8, 900, 2),
        card: random.one(['visa', 'mastercard', 'amex', 'other']),
        country: random.one(['fr', 'us', 'jp', 'br', 'gb']),
      },
    }),
  },
  messages: { perMonth: 3, report: (random) => ({ properties: { channel: random.one(['sms', 'email', 'push']) } }) },
  compute_hours: {
    perMonth: 3,
    report: (random, _rank, size) => ({
      properties: { hours: random.decimal(10 * size, 60 * size, 2), size: random.one(['small', 'large', 'huge']) },
    }),
  },
  transfers: { perMonth: 3, report: (random) => ({ properties: { amount: random.decimal(300, 4200, 2) } }) },
  energy: {
    perMonth: 3,
    report: (random) => ({ properties: { kwh: random.decimal(40, 400, 1) }, cents: random.decimal(900, 9000, 2) }),
  },
  model_tokens: { perMonth: 2, report: (random) => ({ properties: { tokens: random.whole(2000, 40_000) } }) },
  service_level: { perMonth: 1, report: (random) => ({ properties: { level: random.whole(0, 4) } }) },
};

const MONTH = 30 * DAY_MS;

function reportsOf(subscription: string, metric: string, from: number, to: number, wallet: string | null): EventRow[] {
  const kind = REPORTS[metric];
  if (!kind) throw new Error(`no usage of ${metric}`);
  const random = new Random(`usage ${subscription} ${metric}`);
  const size = random.whole(1, 3);
  const events: EventRow[] = [];
  const step = MONTH / kind.perMonth;
  for (let at = from + random.whole(1, 40) * 3_600_000, rank = 0; at < to; rank++) {
    const { properties, cents } = kind.report(random, rank, size);
    const timestamp = timeText(at);
    events.push({
      transaction_id: `${subscription}/${metric}/${rank + 1}`,
      external_subscription_id: subscription,
      code: metric,
      timestamp,
      created_at: timestamp,
      properties: wallet !== null && rank % 2 === 0 ? { ...properties, target_wallet_code: wallet } : properties,
      ...(cents ? { precise_total_amount_cents: cents } : {}),
    });
    at += Math.round((step * (0.6 + 0.8 * random.next())) / 1000) * 1000;
  }
  return events;
}

/**
 * Usage of one external id from its first start to its end: for each metric that any of its plans prices. Every other event names the
 * wallet that is to pay for it, where there is one and a charge on the metric accepts that.
 */
export function usageOf(
  family: readonly SubscriptionRow[],
  plans: readonly PlanRow[],
  wallet: string | null = null,
): EventRow[] {
  const [first] = family;
  if (!first) return [];
  const charges = plans.flatMap((plan) => plan.charges);
  const metrics = new Set(charges.map((charge) => charge.billable_metric_code));
  const targeted = new Set(
    charges.filter((charge) => charge.accepts_target_wallet).map((charge) => charge.billable_metric_code),
  );
  const last = family.at(-1) ?? first;
  const end = Date.parse(last.terminated_at ?? last.ending_at ?? timeText(HORIZON));
  const from = Date.parse(first.subscription_at);
  const to = Math.min(end, HORIZON);
  return [...metrics].flatMap((metric) =>
    reportsOf(first.external_id, metric, from, to, targeted.has(metric) ? wallet : null),
  );
}

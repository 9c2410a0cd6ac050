import { getRefFromModel } from '@pothos/plugin-prisma';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder, typeName } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import { currencyFields } from '../base/currency.ts';

/** What is read of a fee to group it, by the names of its columns. */
interface GroupedFee {
  readonly id: string;
  readonly amountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly amountCurrency: string;
}

interface GroupedSubscription {
  readonly id: string;
}

interface SubscriptionFeesShape {
  readonly subscription: GroupedSubscription | null;
  readonly currency: string;
  readonly count: number;
  readonly amountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly totalAmountCents: bigint;
  readonly fees: readonly GroupedFee[];
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

function groupOf<Fee extends Omit<GroupedFee, 'id'>, Subscription>(
  [first, ...others]: readonly [Fee, ...Fee[]],
  subscription: Subscription,
) {
  const fees = [first, ...others];
  const amountCents = sum(fees.map((fee) => fee.amountCents));
  const taxesAmountCents = sum(fees.map((fee) => fee.taxesAmountCents));
  const totalAmountCents = amountCents + taxesAmountCents;
  const currency = first.amountCurrency;
  return { subscription, currency, count: fees.length, amountCents, taxesAmountCents, totalAmountCents, fees };
}

/** Fees by what they name as their subscription, each group where its first fee stands; what names none comes last. */
function groupBySubscription<Fee extends Omit<GroupedFee, 'id'>, Subscription>(
  fees: readonly Fee[],
  idOf: (fee: Fee) => string | null,
  subscriptionOf: (fee: Fee) => Subscription,
) {
  const groups = new Map<string | null, [Fee, ...Fee[]]>();
  for (const fee of fees) {
    const group = groups.get(idOf(fee));
    if (group) group.push(fee);
    else groups.set(idOf(fee), [fee]);
  }
  const shown = [...groups].map(([id, group]) => ({ id, group: groupOf(group, subscriptionOf(group[0])) }));
  return [...shown.filter(({ id }) => id !== null), ...shown.filter(({ id }) => id === null)].map(({ group }) => group);
}

const exact = 'An exact sum, which may have more digits than 64 bits hold.';

const SubscriptionFees = builder.objectRef<SubscriptionFeesShape>('SubscriptionFees').implement({
  description: 'The fees of an invoice that are for one subscription, with what they come to.',
  extensions: { resource: 'fee' },
  fields: (t) => ({
    subscription: t.field({
      type: getRefFromModel('Subscription', builder),
      nullable: true,
      description: 'The subscription; null for the fees that are for none, such as those of add-ons and credits.',
      resolve: (group) => group.subscription,
    }),
    ...currencyFields(t, 'Currency of the amounts.'),
    count: t.exposeInt('count', { description: 'Number of the fees.' }),
    amountCents: t.expose('amountCents', {
      type: 'BigInt',
      description: `What the fees come to without taxes, in minor units. ${exact}`,
    }),
    taxesAmountCents: t.expose('taxesAmountCents', {
      type: 'BigInt',
      description: `What their taxes come to, in minor units. ${exact}`,
    }),
    totalAmountCents: t.expose('totalAmountCents', {
      type: 'BigInt',
      description: `What the fees come to with taxes, in minor units. ${exact}`,
    }),
    fees: t.field({
      type: [getRefFromModel('Fee', builder)],
      description: 'The fees, in the order of the invoice.',
      resolve: (group) => [...group.fees],
    }),
  }),
});

interface StoredFee extends GroupedFee {
  readonly subscriptionId: string | null;
  readonly subscription: GroupedSubscription | null;
}

interface PreviewedFee extends Omit<GroupedFee, 'id'> {
  readonly svcSubscriptionId: string | null;
}

interface PreviewedInvoice {
  readonly allFees: readonly PreviewedFee[];
  readonly subscriptions: readonly { readonly svcId: string }[];
}

const below = (type: string, name: string) => ({ getType: () => type, paths: [[{ name }]] });

const GROUPED = { subscriptionId: true, amountCents: true, taxesAmountCents: true, amountCurrency: true };

/** The lines of an invoice by their subscriptions; they come with the invoice's statement. */
export const feesBySubscription = (t: Selecting) =>
  selectedField(t, {
    type: [SubscriptionFees],
    description: 'Its lines by the subscriptions that they are for, with what each comes to.',
    select: (_args, _context, nested) => {
      const { select } = nested({ select: { id: true } }, below('Fee', 'fees')) as { select?: object };
      const subscription = nested({ select: { id: true } }, below(typeName('Subscription'), 'subscription'));
      const fees = {
        where: { deletedAt: null },
        orderBy: OLDEST_FIRST,
        select: { ...select, ...GROUPED, subscription },
      };
      return { fees };
    },
    extensions: {
      ofPreviewed: ({ allFees, subscriptions }: PreviewedInvoice) => {
        const byId = new Map(subscriptions.map((one) => [one.svcId, one]));
        const idOf = (fee: PreviewedFee) => fee.svcSubscriptionId;
        return groupBySubscription(allFees, idOf, (fee) => byId.get(idOf(fee) ?? '') ?? null);
      },
    },
    resolve: (invoice) =>
      groupBySubscription(
        invoice.fees as StoredFee[],
        (fee) => fee.subscriptionId,
        (fee) => fee.subscription,
      ),
  });

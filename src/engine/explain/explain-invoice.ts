import type { FeeStep, FeeStepKind } from '../../billing/fee/step.ts';
import { minorDigits } from '../../billing/money/currency.ts';
import { type Decimal, dec } from '../../billing/money/decimal.ts';
import { formatDate, localDate } from '../../billing/period/calendar.ts';
import type { FeeExplanation } from '../../billing/verify/explain.ts';
import { basisText, numberText, stepText } from '../../billing/verify/step-text.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { type ExplainedInvoice, readExplained } from '../../store/document/explained-invoice.ts';
import { explainFees } from './explain-fees.ts';
import { amountText, rowsOf } from './explained-amount.ts';

type Fee = ExplainedInvoice['fees'][number];

const groupsOf = ({ groupedBy }: Fee) =>
  Object.entries(groupedBy as Record<string, string | null>).flatMap(([key, value]) =>
    value === null ? [] : [`${key} ${value}`],
  );

const nameOf = (fee: Fee) =>
  [fee.itemInvoiceDisplayName || fee.itemName, fee.filterInvoiceDisplayName, ...groupsOf(fee)]
    .filter((part) => part)
    .join(', ');

function periodOf({ fromDate, toDate }: Fee, zone: string): string {
  if (!fromDate || !toDate) return '';
  const dayOf = (moment: Date) => formatDate(localDate(moment.getTime(), zone));
  const [from, to] = [dayOf(fromDate), dayOf(toDate)];
  return from === to ? from : `${from} to ${to}`;
}

/** How the list of events of the API is narrowed to those that a fee bills; empty where it bills none. */
function eventsPath({ usage }: FeeExplanation): string {
  if (!usage) return '';
  if (usage.transactionId) return `/api/v1/events/${encodeURIComponent(usage.transactionId)}`;
  const asked = new URLSearchParams({
    ...{ external_subscription_id: usage.externalSubscriptionId, code: usage.code },
    ...(usage.from !== null && { timestamp_from: new Date(usage.from).toISOString() }),
    timestamp_to: new Date(usage.to).toISOString(),
  });
  return `/api/v1/events?${asked}`;
}

const QUIET: readonly FeeStepKind[] = ['rounding', 'unit_rounding', 'commitment_rounding', 'days', 'tax_rounding'];

const isTold = ({ kind }: FeeStep, change: Decimal | null) => !(QUIET.includes(kind) && change?.isZero());

function feeOf(fee: Fee, explanation: FeeExplanation | undefined, { currency, zone }: ExplainedInvoice) {
  const unit = fee.pricingUnitUsage?.shortName;
  // What changes nothing is no step for a reader.
  const rows = rowsOf(explanation?.steps ?? [], currency, unit).filter(({ step, change }) => isTold(step, change));
  return {
    ...{ id: fee.id, name: nameOf(fee), period: periodOf(fee, zone) },
    amount: `${amountText(fee.amountCents, minorDigits(currency))} ${currency}`,
    basis: explanation ? basisText(explanation) : 'Nothing is known of how it came about.',
    steps: rows.map(({ step, adds, total }) => ({
      ...{ stage: step.stage, adds, total },
      text: explanation ? stepText(step, { usage: explanation.usage, currency, unit: unit || currency }) : '',
    })),
    eventsPath: explanation ? eventsPath(explanation) : '',
  };
}

function totalsOf(invoice: ExplainedInvoice) {
  const digits = minorDigits(invoice.currency);
  const lines: readonly (readonly [name: string, cents: bigint, isAlwaysShown: boolean])[] = [
    ['All fees', invoice.feesAmountCents, true],
    ['Billed already on progressive invoices', -invoice.progressiveBillingCreditAmountCents, false],
    ['Coupons', -invoice.couponsAmountCents, false],
    ['Without taxes', invoice.subTotalExcludingTaxesAmountCents, true],
    ...invoice.appliedTaxes.map(({ taxName, taxRate, feesAmountCents, amountCents }) => {
      const name = `${taxName}: ${numberText(dec(taxRate))} % of ${amountText(feesAmountCents, digits)}`;
      return [name, amountCents, true] as const;
    }),
    ['With taxes', invoice.subTotalIncludingTaxesAmountCents, true],
    ['Credit notes', -invoice.creditNotesAmountCents, false],
    ['Prepaid credits', -invoice.prepaidCreditAmountCents, false],
    ['To pay', invoice.totalAmountCents, true],
  ];
  return lines
    .filter(([, cents, isAlwaysShown]) => isAlwaysShown || cents !== 0n)
    .map(([name, cents]) => ({ name, amount: `${amountText(cents, digits)} ${invoice.currency}` }));
}

/** A final invoice with why each of its fees comes to its amount, in words; null where the organization has none with this identifier. */
export async function explainInvoice(db: TenantClient, actor: Actor, id: string) {
  const invoice = await readExplained(db, id);
  if (!invoice) return null;
  const { number, currency, customer, billingEntity, fees } = invoice;
  const ids = fees.map((fee) => fee.id);
  const explanations = await explainFees(db, actor, ids);
  return {
    ...{ number, currency, issuingDate: invoice.issuingDate.toISOString().slice(0, 10) },
    seller: billingEntity.legalName || billingEntity.name,
    buyer: customer.legalName || customer.name || customer.externalId,
    fees: fees.map((fee) => feeOf(fee, explanations.get(fee.id), invoice)),
    totals: totalsOf(invoice),
  };
}

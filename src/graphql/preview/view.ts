import { randomUUID } from 'node:crypto';
import { trialEnd, trialEndedBy } from '../../billing/period/trial.ts';
import type { Preview, PreviewedSubscription } from '../../billing/preview/preview-type.ts';
import type { PreviewRows, PreviewSubscriptionRow } from '../../store/account/preview.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { rowFields } from '../base/column.ts';
import { activatedAt } from '../subscription/moment.ts';
import { previewCustomer } from './customer.ts';
import { type PreviewFrame, taxLine, unsavedFees } from './fee.ts';
import type { InvoicePreviewArgs } from './input.ts';

const moment = (at: number | null) => (at === null ? null : new Date(at));
const day = (date: string) => new Date(`${date}T00:00:00Z`);

/** What is stored of a subscription, or what stands for it in one that is made up. */
function ownFields(row: PreviewSubscriptionRow | undefined, now: Date) {
  if (!row) {
    const none = { paymentMethodType: 'provider', paymentMethodId: null };
    return {
      ...{ onTerminationInvoice: 'generate', consolidateInvoice: true, ...none, paymentMethodReference: none },
      ...{ activationRules: [], appliedInvoiceCustomSections: [], createdAt: now, updatedAt: now },
    };
  }
  return {
    ...rowFields('Subscription', { ...row }),
    paymentMethodReference: row,
    activationRules: row.activationRules.map((rule) =>
      rowFields('ActivationRule', { ...rule, timeoutHours: rule.timeoutHours ?? 0 }),
    ),
    appliedInvoiceCustomSections: row.appliedInvoiceCustomSections.map(({ invoiceCustomSection, ...applied }) => ({
      ...rowFields('AppliedInvoiceCustomSection', applied),
      invoiceCustomSection: {
        ...rowFields('InvoiceCustomSection', { ...invoiceCustomSection }),
        svcOrganizationId: invoiceCustomSection.organizationId,
      },
    })),
  };
}

function previewSubscription(one: PreviewedSubscription, rows: PreviewRows, frame: PreviewFrame) {
  const { subscription, currentPeriodFrom, currentPeriodTo } = one;
  const { plan, startedAt } = subscription;
  const row = rows.subscriptions.find(({ id }) => id === subscription.id);
  const zone = rows.account?.customer.timezone ?? 'UTC';
  const first = subscription.firstStartedAt ?? startedAt;
  const trialEndsAt = row && first != null ? trialEnd(first, plan.trialDays, zone) : null;
  const begins = !row && (startedAt === null || startedAt > frame.now.getTime());
  return {
    ...ownFields(row, frame.now),
    svcId: frame.subscriptionId(subscription.id),
    svcCustomerId: frame.customerId,
    svcPlanId: plan.id,
    externalId: subscription.externalId,
    externalCustomerId: frame.externalCustomerId,
    name: subscription.name ?? null,
    status: begins ? 'pending' : subscription.status,
    billingTime: subscription.billingTime,
    billingEntityCode: subscription.billingEntityCode ?? frame.preview.billingEntityCode,
    subscriptionAt: new Date(subscription.subscriptionAt),
    startedAt: moment(startedAt),
    activatedAt: row ? activatedAt(row) : null,
    trialEndedAt: row?.trialEndedAt ?? moment(trialEndedBy(frame.now.getTime(), trialEndsAt, subscription)),
    endingAt: moment(subscription.endingAt),
    terminatedAt: moment(subscription.terminatedAt),
    planCode: plan.code,
    planAmountCents: plan.amountCents,
    planAmountCurrency: plan.currency,
    currentBillingPeriodStartedAt: moment(currentPeriodFrom),
    currentBillingPeriodEndingAt: moment(currentPeriodTo),
  };
}

function billingPeriods({ preview, invoiceId, subscriptionId, now }: PreviewFrame) {
  return preview.billingPeriods.map((period) => ({
    svcId: randomUUID(),
    svcInvoiceId: invoiceId,
    svcSubscriptionId: subscriptionId(period.subscriptionId),
    externalSubscriptionId:
      preview.subscriptions.find((one) => one.subscription.id === period.subscriptionId)?.subscription.externalId ?? '',
    svcPlanId: period.planId,
    subscriptionFromDatetime: new Date(period.from ?? period.billedAt),
    subscriptionToDatetime: new Date(period.to ?? period.billedAt),
    chargesFromDatetime: new Date(period.chargesFrom ?? period.from ?? period.billedAt),
    chargesToDatetime: new Date(period.chargesTo ?? period.to ?? period.billedAt),
    fixedChargesFromDatetime: moment(period.fixedChargesFrom),
    fixedChargesToDatetime: moment(period.fixedChargesTo),
    invoicingReason: period.reason,
    createdAt: now,
  }));
}

function credits({ preview, invoiceId, now }: PreviewFrame) {
  return preview.credits.map((credit) => ({
    svcId: randomUUID(),
    svcInvoiceId: invoiceId,
    amountCents: credit.amountCents,
    amountCurrency: credit.currency,
    beforeTaxes: credit.beforeTaxes,
    createdAt: now,
    item: {
      itemId: credit.itemId && isUuid(credit.itemId) ? credit.itemId : randomUUID(),
      itemType: credit.type,
      itemCode: credit.code,
      itemName: credit.name,
    },
    invoice: { svcId: invoiceId, paymentStatus: 'pending' },
  }));
}

function totals(preview: Preview) {
  const { fees: _fees, credits: _credits, billingPeriods: _periods, subscriptions: _subscriptions, ...rest } = preview;
  return {
    ...rest,
    ...{ number: '', invoiceType: preview.type, versionNumber: 4, paymentOverdue: false },
    readyToBeRefreshed: false,
    ...{ totalPaidAmountCents: 0n, totalDueAmountCents: preview.totalAmountCents },
    issuingDate: day(preview.issuingDate),
    paymentDueDate: day(preview.paymentDueDate),
    expectedFinalizationDate: day(preview.expectedFinalizationDate),
    taxesRate: preview.taxesRate,
  };
}

const NOTHING = { metadata: [], appliedInvoiceCustomSections: [], appliedUsageThresholds: [], errorDetails: [] };

interface Shown {
  readonly preview: Preview;
  readonly rows: PreviewRows;
  readonly input: InvoicePreviewArgs;
  readonly entity: PreviewRows['entities'][number];
}

/** A preview with the field names of the graph. What is stored keeps its identifiers, the rest gets new ones. */
export async function previewView({ preview, rows, input, entity }: Shown, now: Date) {
  // A stored customer stays its own entity's, whichever is asked to bill.
  const home = rows.entities.find(({ code }) => code === rows.account?.billingEntity.code) ?? entity;
  const customer = previewCustomer(rows.customer, input.customer, home, now);
  const minted = new Map<string, string>();
  const frame: PreviewFrame = {
    ...{ preview, now, invoiceId: randomUUID(), customerId: String(customer.svcId) },
    ...{ currency: preview.currency, selfBilled: preview.selfBilled },
    externalCustomerId: rows.customer?.externalId ?? '',
    subscriptionId: (id) => {
      if (isUuid(id)) return id;
      if (!minted.has(id)) minted.set(id, randomUUID());
      return minted.get(id) as string;
    },
    externalSubscriptionId: (id) =>
      preview.subscriptions.find((one) => one.subscription.id === id)?.subscription.externalId,
  };
  return {
    ...totals(preview),
    ...NOTHING,
    ...{ svcId: frame.invoiceId, svcCustomerId: frame.customerId, svcBillingEntityId: entity.id },
    ...{ customer, createdAt: now, updatedAt: now },
    appliedTaxes: preview.appliedTaxes.map((line) => ({
      ...taxLine(line, preview.currency, now),
      ...{ svcInvoiceId: frame.invoiceId, feesAmountCents: line.feesAmountCents },
    })),
    billingPeriods: billingPeriods(frame),
    subscriptions: preview.subscriptions.map((one) => previewSubscription(one, rows, frame)),
    allFees: await unsavedFees(preview.fees, frame),
    credits: credits(frame),
    computed: { preview, plans: rows.plans },
  };
}

export type PreviewView = Awaited<ReturnType<typeof previewView>>;

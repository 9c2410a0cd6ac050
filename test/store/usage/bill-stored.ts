import { randomUUID } from 'node:crypto';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import type { CustomerAccount } from '../../../src/billing/invoice/account.ts';
import type { Instant } from '../../../src/billing/period/calendar.ts';
import { previewInvoice } from '../../../src/billing/preview/preview.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { eventRequest } from '../../../src/billing/subscription/invoice-request.ts';
import { issueInvoice } from '../../../src/billing/subscription/issue.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';
import { loadAccount } from '../../../src/store/account/load-account.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization, type TenantClient, transactionOf } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { type EventRow, eventRow } from '../../../src/store/usage/event-row.ts';
import type { UsageReader } from '../../../src/store/usage/event-store.ts';
import { eventStoreOf } from '../../../src/store/usage/kept-events.ts';
import { usageReader } from '../../../src/store/usage/read-usage.ts';
import { answeredUsage, answerUsage, storedReading } from '../../../src/store/usage/stored-usage.ts';
import { documentOf, type StoredCase } from './stored-case.ts';

/** An event of a document as one that was received when it says. */
function rowOf(event: ReturnType<typeof documentOf>['events'][number], organizationId: string): EventRow {
  const { transaction_id: transactionId, external_subscription_id: externalSubscriptionId, code } = event;
  const names = { transactionId, externalSubscriptionId, code, properties: event.properties };
  const amount = { preciseTotalAmountCents: event.precise_total_amount_cents ?? null };
  const row = { ...names, ...amount, timestamp: new Date(event.timestamp) };
  return eventRow(row, organizationId, new Date(event.created_at));
}

/** Stores all cases in an organization of their own; the client of it. */
export async function storeCases(db: Database, cases: readonly StoredCase[]): Promise<TenantClient> {
  const name = randomUUID();
  const now = new Date('2026-01-01T00:00:00Z');
  const { events, ...document } = documentOf(cases);
  const store = eventStoreOf(db.prisma);
  await importDocument(db, store.apart ? document : { ...document, events }, { organization: name, now });
  const { id } = await db.prisma.organization.findUniqueOrThrow({ where: { name } });
  if (store.apart) await store.append(events.map((event) => [rowOf(event, id)]));
  return forOrganization(db.prisma, id);
}

/** Reads the usage of a stored case as a preview does, by the reader that is made of a transaction's one. */
export type Reading = (reader: UsageReader) => UsageReader;

type Bill = (account: CustomerAccount) => readonly InvoiceFee[];

async function billWith(client: TenantClient, { id, now }: StoredCase, reading: Reading, bill: Bill) {
  const customer = await client.customer.findFirstOrThrow({
    where: { externalId: id },
    select: { id: true, organizationId: true },
  });
  return transactionOf(client, async (tx) => {
    const account = await loadAccount(tx, customer.id, [id], new Date(now));
    if (account === null) throw new Error(`${id}: not stored`);
    const stored = storedReading(reading(usageReader(client, tx, [id])), customer.organizationId);
    const answers = await answerUsage(stored, [id], (usage) => bill({ ...account, usage }));
    return bill({ ...account, usage: answeredUsage(answers) });
  });
}

async function storedEvent(client: TenantClient, { id }: StoredCase, transactionId: string): Promise<UsageEvent> {
  const where = { transactionId, externalSubscriptionId: id };
  const row = await client.event.findFirstOrThrow({ where });
  return {
    ...{ id: row.id, transactionId, timestamp: row.timestamp.getTime(), createdAt: row.createdAt.getTime() },
    properties: row.properties as UsageEvent['properties'],
    preciseTotalAmountCents: row.preciseTotalAmountCents?.toFixed() ?? null,
  };
}

function advanceFees(account: CustomerAccount, event: UsageEvent): readonly InvoiceFee[] {
  const subscription = account.subscriptions.at(-1);
  const charge = subscription?.plan.charges[0];
  if (!subscription || !charge) throw new Error(`${event.transactionId}: nothing stored prices it`);
  const request = eventRequest(account, subscription, charge, event);
  return request === null ? [] : issueInvoice(account, request).fees;
}

function terminationFees(account: CustomerAccount, at: Instant): readonly InvoiceFee[] {
  const subscription = account.subscriptions.at(-1);
  if (!subscription) throw new Error(`${account.customer.externalId}: no subscription`);
  const billed = billedSubscription(account, subscription, at, 'subscription_terminating');
  return issueInvoice(account, { at, subscriptions: [billed] }).fees;
}

/** The usage fees of a stored case: of its events one by one, of its termination, or of the invoice that a preview shows. */
export async function billStored(
  client: TenantClient,
  stored: StoredCase,
  reading: Reading = (reader) => reader,
): Promise<readonly InvoiceFee[]> {
  const { id, advance, now, window } = stored;
  const billed: InvoiceFee[] = [];
  for (const transactionId of advance) {
    const event = await storedEvent(client, stored, transactionId);
    billed.push(...(await billWith(client, stored, reading, (account) => advanceFees(account, event))));
  }
  if (advance.length > 0) return billed;
  const fees = await billWith(client, stored, reading, (account) =>
    window.endsAt === null
      ? previewInvoice({ subscriptions: { externalIds: [id] } }, account, { plans: [] }, now).fees
      : terminationFees(account, window.endsAt),
  );
  return fees.filter(({ type }) => type === 'charge');
}

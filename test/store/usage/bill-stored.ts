import { randomUUID } from 'node:crypto';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import type { CustomerAccount } from '../../../src/billing/invoice/account.ts';
import type { Instant } from '../../../src/billing/period/calendar.ts';
import { previewInvoice } from '../../../src/billing/preview/preview.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { eventRequest } from '../../../src/billing/subscription/invoice-request.ts';
import { issueInvoice } from '../../../src/billing/subscription/issue.ts';
import { chargeUsage } from '../../../src/billing/subscription/usage-fees.ts';
import { loadAccount } from '../../../src/store/account/load-account.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { documentOf, type StoredCase } from './stored-case.ts';

/** Stores all cases in an organization of their own; the client of it. */
export async function storeCases(db: Database, cases: readonly StoredCase[]): Promise<TenantClient> {
  const name = randomUUID();
  await importDocument(db, documentOf(cases), { organization: name, now: new Date('2026-01-01T00:00:00Z') });
  const { id } = await db.prisma.organization.findUniqueOrThrow({ where: { name } });
  return forOrganization(db.prisma, id);
}

async function accountOf(client: TenantClient, { id, now }: StoredCase): Promise<CustomerAccount> {
  const customer = await client.customer.findFirstOrThrow({ where: { externalId: id }, select: { id: true } });
  const account = await loadAccount(client, customer.id, [id], new Date(now));
  if (account === null) throw new Error(`${id}: not stored`);
  return account;
}

function advanceFees(account: CustomerAccount, transactionId: string): readonly InvoiceFee[] {
  const subscription = account.subscriptions.at(-1);
  const charge = subscription?.plan.charges[0];
  if (!subscription || !charge) throw new Error(`${transactionId}: nothing stored prices it`);
  const stored = chargeUsage(account.usage, { subscription }, charge).within({
    from: null,
    to: Number.POSITIVE_INFINITY,
  });
  const event = [...stored].find((one) => one.transactionId === transactionId);
  if (!event) throw new Error(`${transactionId}: not stored`);
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
export async function billStored(client: TenantClient, stored: StoredCase): Promise<readonly InvoiceFee[]> {
  const { id, advance, now, window } = stored;
  const account = await accountOf(client, stored);
  const preview = () => previewInvoice({ subscriptions: { externalIds: [id] } }, account, { plans: [] }, now).fees;
  if (advance.length > 0) return advance.flatMap((transactionId) => advanceFees(account, transactionId));
  const fees = window.endsAt === null ? preview() : terminationFees(account, window.endsAt);
  return fees.filter(({ type }) => type === 'charge');
}

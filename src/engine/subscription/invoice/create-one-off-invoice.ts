import type { SentSections } from '../../../billing/customer/custom-section.ts';
import { gathered, notFound, readWith, within } from '../../../billing/errors.ts';
import { checkSold, currencyOfSale, type SoldAddOn } from '../../../billing/fee/add-on-fee.ts';
import type { SentPaymentMethod } from '../../../billing/invoice/payment.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { firstMethod } from '../../../billing/subscription/subscription-write.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { addOnsOf, taxesOf } from '../../../store/account/add-on-input.ts';
import { lockCustomer } from '../../../store/customer/customer-lock.ts';
import { entityByCode } from '../../../store/customer/entity-of-customer.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { printChosen } from '../../../store/invoice/printed-section.ts';
import { allChanged, type Written } from '../../changed.ts';
import { takingCurrency } from '../../customer/take-currency.ts';
import { live } from '../../life/live.ts';
import { methodRefusal } from '../../payment/payment-method.ts';
import { inTransaction } from '../../transaction.ts';

/** One thing that is sold. */
export interface SentSale {
  readonly addOnCode: string;
  /** A decimal number. */
  readonly units?: string | null | undefined;
  readonly unitAmountCents?: bigint | null | undefined;
  readonly description?: string | null | undefined;
  readonly invoiceDisplayName?: string | null | undefined;
  readonly taxCodes?: readonly string[] | null | undefined;
  readonly fromDatetime?: Date | null | undefined;
  readonly toDatetime?: Date | null | undefined;
}

/** What is sold to a customer at once. */
export interface SentOneOff {
  readonly externalCustomerId: string;
  readonly currency?: string | null | undefined;
  readonly billingEntityCode?: string | null | undefined;
  readonly fees: readonly SentSale[];
  readonly invoiceCustomSection?: SentSections | null | undefined;
  readonly paymentMethod?: SentPaymentMethod | null | undefined;
}

/** What is said of a sale beside what it names. */
function termsOf(sale: SentSale) {
  const { units, unitAmountCents, description, invoiceDisplayName, fromDatetime, toDatetime } = sale;
  return {
    ...{ unitAmountCents, description, invoiceDisplayName, units: units == null ? null : dec(units) },
    ...{ from: fromDatetime?.getTime() ?? null, to: toDatetime?.getTime() ?? null },
  };
}

/** What is sold, with its add-ons and taxes. Throws `object_not_found` for one that is not there, and for nothing at all. */
async function soldOf(tx: TenantTransaction, sales: readonly SentSale[]): Promise<SoldAddOn[]> {
  if (sales.length === 0) throw notFound('fees');
  const addOns = await addOnsOf(
    tx,
    sales.map(({ addOnCode }) => addOnCode),
  );
  const taxes = await taxesOf(
    tx,
    sales.flatMap(({ taxCodes }) => taxCodes ?? []),
  );
  return sales.map((sale) => {
    const addOn = addOns.get(sale.addOnCode);
    if (!addOn) throw notFound('add_on', sale.addOnCode);
    const named = [...new Set(sale.taxCodes ?? [])].map((code) => {
      const tax = taxes.get(code);
      if (!tax) throw notFound('tax', code);
      return tax;
    });
    return { addOn, ...termsOf(sale), taxes: named };
  });
}

/**
 * Sells add-ons to a customer on an invoice of its own, which is final at once. A customer without a currency takes the invoice's. Throws
 * `object_not_found` for the customer, the entity, an add-on or a tax, and a validation error.
 */
export function createOneOffInvoice(db: TenantClient, actor: Actor, sent: SentOneOff): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const customerId = await lockCustomer(tx, actor, sent.externalCustomerId);
    if (!customerId) throw notFound('customer');
    const customer = await tx.customer.findUniqueOrThrow({ where: { id: customerId } });
    const code = sent.billingEntityCode?.trim();
    const billingEntityId = code ? (await entityByCode(tx, code)).id : customer.billingEntityId;
    const sold = await soldOf(tx, sent.fees);
    const taking = await takingCurrency(tx, actor, customerId, sent.currency ?? null);
    const checks = sent.fees.map((sale, index) => () => within(['fees', index], () => checkSold(termsOf(sale))));
    const refused = await methodRefusal(tx, sent.paymentMethod, { id: customerId });
    const currencyOf = () => currencyOfSale(sent.currency ?? customer.currency, taking.refusal);
    const [currency] = readWith([refused], () => gathered([currencyOf, ...checks]));
    const taken = await taking.save();
    const owner = { customerId, billingEntityId };
    const steps = [{ at: actor.now.getTime(), do: 'one_off' as const, currency, sold }];
    const changed = await live({ db, tx, actor }, { ...owner, externalIds: [] }, { steps });
    const [id] = changed.invoices ?? [];
    if (!id) throw new Error('a sale without an invoice');
    if (sent.invoiceCustomSection) {
      await printChosen(tx, { actor, owner, invoice: { id, billingPeriods: [] } }, sent.invoiceCustomSection);
    }
    if (sent.paymentMethod) {
      const data = { ...firstMethod(sent.paymentMethod), updatedAt: actor.now };
      await tx.invoice.update({ where: { id }, data, select: { id: true } });
    }
    return { id, changed: allChanged([changed, taken]) };
  });
}

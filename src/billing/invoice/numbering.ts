import type { BillingEntityInput } from '../customer/customer.ts';
import { type Instant, localDate } from '../period/calendar.ts';

/** Ranks have this many digits at least. */
const RANK_DIGITS = 3;

/** The ranks that were given last; an invoice that becomes final takes the next ones. 0 before the first. */
export interface InvoiceRanks {
  /** Among the final invoices of this customer and billing entity. */
  readonly forCustomer: number;
  /** Among the final ones of the entity that are not self-billed. */
  readonly forEntity: number;
}

/** What an invoice is known by. A draft and a closed invoice have no ranks. */
export interface InvoiceNumbering {
  readonly number: string;
  readonly sequentialId: number | null;
  /** Null also where the entity numbers by customer, and for self-billed invoices. */
  readonly billingEntitySequentialId: number | null;
}

/** The ranks that the invoice being finalized takes: counted from 1, this invoice included. */
export interface InvoiceRank {
  /** Of the customer in the organization. */
  readonly customerSequentialId: number;
  /** Of the invoice among the final ones of this customer and billing entity, in both ways of numbering. */
  readonly forCustomer: number;
  /** Among the final invoices of the entity; voided ones count, self-billed ones do not. */
  readonly forEntity: number;
  readonly selfBilled: boolean;
}

/** What a draft and a closed invoice show: `PREFIX-DRAFT`. */
export function draftNumber(entity: Pick<BillingEntityInput, 'documentNumberPrefix'>): string {
  return `${prefixOf(entity)}-DRAFT`;
}

/**
 * The number an invoice gets when it becomes final: `PREFIX-CCC-NNN` by customer, `PREFIX-YYYYMM-NNN` by billing entity with
 * the month of `now` in the entity's time zone. Self-billed invoices always take the customer's form. The counter of the
 * entity is the number of its invoices, so a switch between the two ways leaves no gap. Source: invoicing 16.
 */
export function invoiceNumber(
  entity: Pick<BillingEntityInput, 'documentNumberPrefix' | 'documentNumbering' | 'timezone'>,
  rank: InvoiceRank,
  now: Instant,
): string {
  const prefix = prefixOf(entity);
  if (entity.documentNumbering === 'per_customer' || rank.selfBilled) {
    return `${prefix}-${digits(rank.customerSequentialId)}-${digits(rank.forCustomer)}`;
  }
  const today = localDate(now, entity.timezone ?? 'UTC');
  return `${prefix}-${today.year}${String(today.month).padStart(2, '0')}-${digits(rank.forEntity)}`;
}

/**
 * The number that an invoice takes after the given ranks: the next one where it is final, else none. After rank 7 of customer 3:
 * `PRE-003-008`. Source: invoicing 16.
 */
export function nextNumber(
  entity: Pick<BillingEntityInput, 'documentNumberPrefix' | 'documentNumbering' | 'timezone'>,
  customer: { readonly sequentialId?: number | null },
  last: InvoiceRanks,
  invoice: { readonly status: string; readonly selfBilled: boolean },
  now: Instant,
): InvoiceNumbering {
  if (invoice.status !== 'finalized') {
    return { number: draftNumber(entity), sequentialId: null, billingEntitySequentialId: null };
  }
  const { selfBilled } = invoice;
  const forCustomer = last.forCustomer + 1;
  const forEntity = last.forEntity + (selfBilled ? 0 : 1);
  const rank = { customerSequentialId: customer.sequentialId ?? 1, forCustomer, forEntity, selfBilled };
  const isCounted = entity.documentNumbering === 'per_billing_entity' && !selfBilled;
  return {
    number: invoiceNumber(entity, rank, now),
    sequentialId: forCustomer,
    billingEntitySequentialId: isCounted ? forEntity : null,
  };
}

/** The prefix an entity has when none was set: three letters of its name and the last four characters of its id. */
export function defaultNumberPrefix(entity: Pick<BillingEntityInput, 'name' | 'id'>): string {
  return `${entity.name.slice(0, 3)}-${entity.id.slice(-4)}`.toUpperCase();
}

function prefixOf(entity: Pick<BillingEntityInput, 'documentNumberPrefix'>): string {
  return entity.documentNumberPrefix.toUpperCase();
}

/** The number of a credit note: `PRE-003-008-CN001` is the first one of that invoice. */
export function creditNoteNumber(invoiceNumber: string, rank: number | string): string {
  return `${invoiceNumber}-CN${digits(rank)}`;
}

/** What a customer is called in short: `ACM-1A2B-007` is the seventh of the organization. */
export function customerSlug(prefix: string, rank: number | string): string {
  return `${prefix}-${digits(rank)}`;
}

function digits(rank: number | string): string {
  return String(rank).padStart(RANK_DIGITS, '0');
}

import type { Preview } from '../billing/preview/preview-type.ts';
import type { VatChecker } from '../engine/customer/vat-check.ts';
import type { Actor, NamedAttempt } from '../store/access/audit.ts';
import type { TenantClient } from '../store/database/tenant.ts';
import type { Changes } from '../store/insight/changes.ts';
import type { PreviewTask } from './preview/compute.ts';

export type { VatChecker } from '../engine/customer/vat-check.ts';

export const RESOURCES = [
  'activity_log',
  'add_on',
  'analytic',
  'applied_coupon',
  'billable_metric',
  'billing_entity',
  'coupon',
  'credit_note',
  'customer',
  'customer_usage',
  'event',
  'feature',
  'fee',
  'invoice',
  'invoice_custom_section',
  'job',
  'lifetime_usage',
  'organization',
  'payment',
  'payment_method',
  'payment_request',
  'plan',
  'pricing_unit',
  'subscription',
  'tax',
  'wallet',
  'wallet_transaction',
] as const;

export type Resource = (typeof RESOURCES)[number];
export type Mode = 'read' | 'write';
/** What a key may do, for example `invoice:read`. */
export type Permission = `${Resource}:${Mode}`;

/** Who is calling: a key reduced to the organization it opens and what it may do there. */
export interface Caller {
  readonly organizationId: string;
  readonly keyId: string;
  readonly keyKind: 'secret' | 'publishable';
  /** What time it is for its organization, where that has a clock of its own. */
  readonly clock?: Date | undefined;
  permits(permission: Permission): boolean;
}

/** What every resolver receives. */
export interface Context {
  readonly caller: Caller;
  /** The database as the caller's organization sees it. */
  readonly db: TenantClient;
  readonly requestId: string;
  /** The attempt that the request is, where its client has named it. */
  named?: NamedAttempt | undefined;
  /** Whether the operation is tried only: `db` is a transaction that is undone. */
  readonly dryRun?: boolean;
  /** How many billing entities an organization may have that are not archived; any number unless given. */
  readonly mostBillingEntities?: number | undefined;
  /** Asks the register of VAT numbers; none is asked unless given. */
  readonly checkVat?: VatChecker | undefined;
  /** The moment of the request, by the clock of its organization where that has one. Resolvers and rules read no other clock. */
  readonly now: Date;
  /**
   * Whether it is an operation of GraphQL, whose nested objects are checked against the key's permissions. A REST document names one permission for all it
   * shows, which the route has already checked; a GraphQL operation is checked type by type.
   */
  readonly checksTypes: boolean;
  /** What changes from now on, for live operations. */
  readonly changes: Changes;
  /** Tells that nobody waits for the answer any more; made when it is asked for. */
  signal(): AbortSignal;
  /** Computes a preview, which may be given up with the request: see Previewer. */
  preview(task: PreviewTask): Promise<Preview>;
  /** An address from which one of the organization's documents is had without a key, for a while. */
  fileUrl(kind: 'invoices' | 'credit_notes' | 'explanations', id: string): string | Promise<string>;
}

/** Who writes: what every use case of engine/ is given. */
export const actorOf = ({ caller, requestId, now, named, dryRun, mostBillingEntities }: Context): Actor => {
  const { organizationId, keyId, clock } = caller;
  const hasClock = clock !== undefined;
  return { organizationId, keyId, requestId, now, hasClock, named, dryRun, mostBillingEntities };
};

/** Whether a write refuses members that cannot change: clients of REST expect silence. */
export const refusesIgnored = ({ checksTypes }: Context) => ({ refusesIgnored: checksTypes });

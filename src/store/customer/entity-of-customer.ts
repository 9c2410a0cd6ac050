import { notFound } from '../../billing/errors.ts';
import { defaultNumberPrefix } from '../../billing/invoice/numbering.ts';
import type { Actor } from '../access/audit.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockRanks } from './customer-lock.ts';

/** Who bills customers. */
interface BillingEntity {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly documentNumberPrefix: string | null;
  readonly country: string | null;
  readonly euTaxManagement: boolean;
}

const select = {
  ...{ id: true, code: true, name: true, documentNumberPrefix: true },
  ...{ country: true, euTaxManagement: true },
} as const;
const live = { archivedAt: null, deletedAt: null } as const;

/** The default entity has what was applied to the organization before there was one. */
async function takeApplied(tx: TenantTransaction, id: string): Promise<void> {
  const applied = { where: { appliedToOrganization: true, deletedAt: null }, select: { id: true } };
  const taxes = await tx.tax.findMany(applied);
  const sections = await tx.invoiceCustomSection.findMany(applied);
  if (taxes.length + sections.length === 0) return;
  const data = { taxes: { connect: taxes }, selectedInvoiceCustomSections: { connect: sections } };
  await tx.billingEntity.update({ where: { id }, data, select: { id: true } });
}

/** The first entity of an organization, which is called like it. */
async function makeEntity(tx: TenantTransaction, { organizationId, now }: Actor): Promise<BillingEntity> {
  const { name } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } });
  const id = newId(now);
  const documentNumberPrefix = defaultNumberPrefix({ name, id });
  const data = { id, organizationId, code: 'default', name, documentNumberPrefix, isDefault: true, emailSettings: [] };
  const made = await tx.billingEntity.create({ data: { ...data, createdAt: now, updatedAt: now }, select });
  await takeApplied(tx, id);
  return made;
}

/**
 * The entity that bills customers of which no other is named: the default one, else the oldest, else a new one. Nobody else makes customers
 * meanwhile.
 */
export async function defaultEntity(tx: TenantTransaction, actor: Actor): Promise<BillingEntity> {
  const where = { deletedAt: null, OR: [{ isDefault: true }, { archivedAt: null }] };
  const known = await tx.billingEntity.findFirst({
    where,
    select,
    orderBy: [{ isDefault: 'desc' }, ...OLDEST_FIRST],
  });
  return known ?? makeEntity(tx, actor);
}

/** The entity of a code, which is not archived. Throws `object_not_found`. */
export async function entityByCode(tx: TenantTransaction, code: string): Promise<BillingEntity> {
  const entity = await tx.billingEntity.findFirst({ where: { code, ...live }, select });
  if (!entity) throw notFound('billing_entity');
  return entity;
}

/**
 * What a new entity has that nobody said: a prefix of its numbers, and that it is the default one where there is no other, with what was applied
 * to the organization.
 */
export async function beginEntity(
  tx: TenantTransaction,
  actor: Actor,
  id: string,
  documentNumberPrefix: string,
): Promise<void> {
  const { organizationId } = actor;
  const hasDefault = Prisma.sql`EXISTS (
    SELECT 1 FROM billing_entities d WHERE d.organization_id = ${organizationId}::uuid AND d.is_default AND d.deleted_at IS NULL)`;
  const [row] = await tx.$queryRaw<{ lacks: boolean }[]>`
    UPDATE billing_entities SET document_number_prefix = coalesce(document_number_prefix, ${documentNumberPrefix})
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid RETURNING NOT ${hasDefault} AS lacks`;
  if (!row?.lacks) return;
  // Of two first ones the second sees the first, once it has waited.
  await lockRanks(tx, actor);
  const [begun] = await tx.$queryRaw<{ isDefault: boolean }[]>`
    UPDATE billing_entities SET is_default = NOT ${hasDefault}
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid RETURNING is_default AS "isDefault"`;
  if (begun?.isDefault) await takeApplied(tx, id);
}

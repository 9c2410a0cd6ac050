import { ignoredMembers, keptHints } from '../../billing/catalogue/ignored.ts';
import { type BillingError, invalid, readWith } from '../../billing/errors.ts';
import { customerSlug, defaultNumberPrefix } from '../../billing/invoice/numbering.ts';
import {
  besideRefusals,
  CUSTOMER,
  type CustomerValues,
  meantMembers,
  type SentCustomer,
} from '../../billing/resource/customer.ts';
import { changedValues, differences, newValues } from '../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { isBilled, lockCustomer, lockRanks, nextRank } from '../../store/customer/customer-lock.ts';
import { defaultEntity, entityByCode } from '../../store/customer/entity-of-customer.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_EXTERNAL_CUSTOMER, whereUnique } from '../../store/database/unique.ts';
import { newId } from '../../store/database/uuid.ts';
import type { Prisma } from '../../store/generated/prisma/client.ts';
import { flagDrafts } from '../../store/invoice/draft-flag.ts';
import { allChanged, type Written } from '../changed.ts';
import type { Stage } from '../life/live.ts';
import { redateDrafts } from '../life/redate-drafts.ts';
import { settleTaxes } from '../life/settle-taxes.ts';
import { readValues, writtenData } from '../resource/row.ts';
import type { StoredRows } from '../resource/stored.ts';
import { inTransaction } from '../transaction.ts';
import { withVat } from './managed-vat.ts';
import { saveIntegrations, saveMetadata } from './own-rows.ts';

/** Where customers are stored. */
export const CUSTOMERS = { resource: CUSTOMER, model: 'Customer' } as const satisfies StoredRows;

/** How a write deals with members that cannot change now: it refuses another value, or leaves it aside. */
interface Manner {
  readonly refusesIgnored: boolean;
  /** Whether there is a register of VAT numbers that is asked. */
  readonly asksRegister?: boolean | undefined;
}

const named = ({ billingEntityCode: code }: SentCustomer) => (code?.trim() ? code : undefined);

/** Writes the rows that are the customer's own, and says what changed of them. */
async function saveOwnRows(tx: TenantTransaction, actor: Actor, id: string, sent: SentCustomer) {
  const { metadata, integrationCustomers } = sent;
  const replaced = {
    metadata: metadata ? await saveMetadata(tx, actor, id, metadata) : undefined,
    integrationCustomers: integrationCustomers
      ? await saveIntegrations(tx, actor, id, integrationCustomers)
      : undefined,
  };
  const changed = Object.entries(replaced).filter(([, one]) => one !== undefined);
  return {
    before: Object.fromEntries(changed.map(([name, one]) => [name, one?.before])),
    after: Object.fromEntries(changed.map(([name, one]) => [name, one?.after])),
  };
}

async function create(
  tx: TenantTransaction,
  actor: Actor,
  sent: SentCustomer,
  { asksRegister }: Pick<Manner, 'asksRegister'> = {},
): Promise<Written> {
  const code = named(sent);
  const entity = code ? await entityByCode(tx, code) : await defaultEntity(tx, actor);
  const said = readWith(besideRefusals(sent), () => newValues(CUSTOMER, meantMembers(sent.members)));
  const { values, columns } = await withVat(tx, actor, { entity, values: said, sent, asksRegister });
  const sequentialId = await nextRank(tx, actor);
  const slug = customerSlug(entity.documentNumberPrefix ?? defaultNumberPrefix(entity), sequentialId);
  const data = await writtenData(tx, actor, CUSTOMERS, values, 'connect');
  const id = newId(actor.now);
  const row = {
    ...{ id, organizationId: actor.organizationId, ...data, ...columns },
    ...{ sequentialId, slug, billingEntityId: entity.id },
    ...{ createdAt: actor.now, updatedAt: actor.now },
  };
  // The members are those of the columns, which their kinds cannot tell the compiler.
  await tx.customer.create({ data: row as Prisma.CustomerUncheckedCreateInput, select: { id: true } });
  const own = await saveOwnRows(tx, actor, id, sent);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'customer.created', objectType: 'customer', objectId: id, before: null },
    after: { ...values, billingEntityCode: entity.code, ...own.after },
  });
  return { id, changed: { auditLogs: [entry] } };
}

interface Wanted {
  readonly before: CustomerValues & { readonly billingEntityCode: string };
  readonly sent: SentCustomer;
}

/** What is refused of a customer who was billed something already: another currency, and what is otherwise left aside. */
function billedRefusals({ before, sent }: Wanted, { refusesIgnored }: Pick<Manner, 'refusesIgnored'>): BillingError[] {
  const { currency, accountType } = meantMembers(sent.members);
  const isOther = currency !== undefined && (currency?.trim() || null) !== before.currency;
  const ignored = ignoredMembers({ accountType: accountType ?? undefined, billingEntityCode: named(sent) }, before);
  const isRefused = refusesIgnored && Object.keys(ignored).length > 0;
  return [
    ...(isOther ? [invalid({ currency: ['currencies_does_not_match'] }, keptHints({ currency: [] }, before))] : []),
    ...(isRefused ? [invalid(ignored, keptHints(ignored, before))] : []),
  ];
}

const isFixed = ({ before, sent }: Wanted) => billedRefusals({ before, sent }, { refusesIgnored: true }).length > 0;

async function update({ db, tx, actor }: Stage, id: string, sent: SentCustomer, manner: Manner): Promise<Written> {
  const code = named(sent);
  const wanted = code ? await entityByCode(tx, code) : undefined;
  const { billingEntity, vatStatus } = await tx.customer.findUniqueOrThrow({
    where: { id },
    select: { billingEntity: true, vatStatus: true },
  });
  const stored = await readValues(tx, CUSTOMERS, id);
  const before = { ...stored, billingEntityCode: billingEntity.code };
  const billed = isFixed({ before, sent }) && (await isBilled(tx, actor, id));
  const others = [...besideRefusals(sent), ...(billed ? billedRefusals({ before, sent }, manner) : [])];
  const meant = meantMembers(sent.members);
  const members = billed ? { ...meant, accountType: undefined } : meant;
  const said = readWith(others, () => changedValues(CUSTOMER, stored, members));
  const own = await saveOwnRows(tx, actor, id, sent);
  const entity = billed ? billingEntity : (wanted ?? billingEntity);
  const { values, columns } = await withVat(tx, actor, {
    entity,
    values: said,
    sent,
    before: { ...before, vatStatus },
    asksRegister: manner.asksRegister,
  });
  const now = { ...values, billingEntityCode: entity.code };
  const after = { ...differences(before, now), ...own.after };
  if (Object.keys({ ...after, ...columns }).length === 0) return { id, changed: {} };
  const data = await writtenData(tx, actor, CUSTOMERS, after, 'set');
  await tx.customer.update({
    where: { id },
    data: {
      ...data,
      ...columns,
      billingEntityId: entity.id,
      updatedAt: actor.now,
    } as Prisma.CustomerUncheckedUpdateInput,
    select: { id: true },
  });
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'customer.updated', objectType: 'customer', objectId: id },
    before: { ...differences(now, before), ...own.before },
    after,
  });
  const drafts = after.taxCodes ? await flagDrafts(tx, actor, { customers: [id] }) : [];
  // A number that nobody is asked about any more keeps no invoice waiting.
  const taxed = 'vatStatus' in columns ? await settleTaxes({ db, tx, actor }, id) : {};
  const dated = await redateDrafts({ db, tx, actor }, { customerId: id }, stored, values);
  return { id, changed: allChanged([{ auditLogs: [entry], invoices: drafts }, taxed, dated]) };
}

/** The customer of an external identifier, locked; made where nobody has it, with the entity of a code or the default one. */
export async function customerOf(
  tx: TenantTransaction,
  actor: Actor,
  externalId: string,
  billingEntityCode?: string | null,
): Promise<string> {
  const known = await lockCustomer(tx, actor, externalId);
  if (known) return known;
  await lockRanks(tx, actor);
  const meanwhile = await lockCustomer(tx, actor, externalId);
  return meanwhile ?? (await create(tx, actor, { members: { externalId }, billingEntityCode })).id;
}

/**
 * Creates the customer of an external identifier, or changes the one who has it: what is absent stays, null clears what can be empty. Of two
 * at one moment the second changes what the first made. What is sent already changes nothing and is not logged. Throws one validation error
 * that names all that is wrong, and `object_not_found` for a billing entity, a tax or a custom section that is not there.
 */
export function upsertCustomer(db: TenantClient, actor: Actor, sent: SentCustomer, manner: Manner): Promise<Written> {
  const externalId = sent.members.externalId ?? '';
  const write = async (tx: TenantTransaction): Promise<Written> => {
    const known = await lockCustomer(tx, actor, externalId);
    const stage = { db, tx, actor };
    if (known) return update(stage, known, sent, manner);
    await lockRanks(tx, actor);
    const meanwhile = await lockCustomer(tx, actor, externalId);
    return meanwhile ? update(stage, meanwhile, sent, manner) : create(tx, actor, sent, manner);
  };
  return whereUnique([UNIQUE_EXTERNAL_CUSTOMER], () => inTransaction(db, actor, write));
}

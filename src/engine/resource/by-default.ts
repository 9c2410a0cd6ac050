import { rowsOf, type TenantTransaction } from '../../store/database/tenant.ts';
import type { Prisma } from '../../store/generated/prisma/client.ts';

/** The default billing entity has what is applied by default, from when somebody says so; it has it no longer where that is taken back. */
export async function applyByDefault(
  tx: TenantTransaction,
  model: Prisma.ModelName,
  id: string,
  isApplied: boolean | null | undefined,
): Promise<void> {
  if (isApplied == null) return;
  const where = { isDefault: true, deletedAt: null };
  const entity = await tx.billingEntity.findFirst({ where, select: { id: true } });
  if (!entity) return;
  const data = { billingEntities: { [isApplied ? 'connect' : 'disconnect']: [entity] } };
  await rowsOf(tx, model).update({ where: { id }, data, select: { id: true } });
}

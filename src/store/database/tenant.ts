import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { asOrganization } from './connection-share.ts';

type Args = { where?: Record<string, unknown>; data?: unknown; create?: unknown } & Record<string, unknown>;

/** In Prisma an undefined value means "no condition"; here it is an error, so that a lost value never widens a query. */
function refuseUndefined(where: unknown, path: string): void {
  if (where === null || typeof where !== 'object' || where instanceof Date) return;
  for (const [key, value] of Object.entries(where)) {
    if (value === undefined) throw new Error(`undefined in a condition: ${path}.${key}`);
    refuseUndefined(value, `${path}.${key}`);
  }
}

const owned = (data: unknown, organizationId: string): unknown =>
  Array.isArray(data) ? data.map((row) => owned(row, organizationId)) : { ...(data as object), organizationId };

function scope(model: string, operation: string, args: Args, organizationId: string): Args {
  const scoped: Args = { ...args };
  if (!operation.startsWith('create')) {
    refuseUndefined(args.where, model);
    const condition = model === 'Organization' ? { id: organizationId } : { organizationId };
    const asked = args.where?.organizationId;
    if (asked !== undefined && asked !== organizationId)
      throw new Error(`${model}: a condition on another organization`);
    // Beside the caller's own condition, not over it: another organization's identifier finds nothing, not one's own row.
    scoped.where =
      model === 'Organization'
        ? { ...args.where, AND: [args.where?.AND ?? [], condition].flat() }
        : { ...args.where, ...condition };
  }
  if (operation.startsWith('create')) scoped.data = owned(args.data, organizationId);
  if (operation === 'upsert') scoped.create = owned(args.create, organizationId);
  return scoped;
}

/** Rows of a model that another store keeps, by queries of Prisma's form whose conditions have the organization; all columns of each. */
export type RowsElsewhere = Pick<Rows, 'findMany' | 'count'>;

const elsewhere = new WeakMap<PrismaClient, Map<string, RowsElsewhere>>();

/** Has a model's rows read from another store from now on. */
export function keepElsewhere(prisma: PrismaClient, model: Prisma.ModelName, rows: RowsElsewhere): void {
  elsewhere.set(prisma, new Map(elsewhere.get(prisma)).set(model, rows));
}

/** The models whose rows are not in the database. */
export const modelsElsewhere = (prisma: PrismaClient): ReadonlySet<string> => new Set(elsewhere.get(prisma)?.keys());

async function readElsewhere(rows: RowsElsewhere, operation: string, args: Args): Promise<unknown> {
  if (operation === 'findMany') return rows.findMany(args);
  if (operation === 'count') return rows.count(args);
  if (!/^find(First|Unique)/.test(operation)) throw new Error(`${operation} of rows that are kept elsewhere`);
  const [row = null] = await rows.findMany({ ...args, take: 1 });
  if (row === null && operation.endsWith('OrThrow')) throw new Error('a row that is kept elsewhere is not there');
  return row;
}

function extend(prisma: PrismaClient, organizationId: string) {
  return prisma.$extends({
    name: 'organization',
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          const scoped = scope(model, operation, args as Args, organizationId) as typeof args;
          const rows = elsewhere.get(prisma)?.get(model);
          if (rows) return readElsewhere(rows, operation, scoped as Args);
          return asOrganization(organizationId, async () => query(scoped));
        },
      },
      $queryRaw: ({ args, query }) => asOrganization(organizationId, async () => query(args)),
      $executeRaw: ({ args, query }) => asOrganization(organizationId, async () => query(args)),
    },
  });
}

/** A Prisma client that sees the rows of one organization and no other. */
export type TenantClient = ReturnType<typeof extend>;

// All others have an identifier and a moment of creation.
type Listed = Exclude<Prisma.ModelName, 'DueCustomer' | 'EventTally' | 'RateLimit' | 'SigningSecret'>;

/** What is done with rows of a model that is known only at run time. */
export interface Rows {
  findFirst(args: object): Promise<{ id: string; createdAt: Date } | null>;
  findUniqueOrThrow(args: object): Promise<{ id: string; createdAt: Date }>;
  findMany(args: object): Promise<{ id: string; createdAt: Date }[]>;
  count(args: object): Promise<number>;
  groupBy(args: object): Promise<object[]>;
  create(args: object): Promise<{ id: string }>;
  update(args: object): Promise<{ id: string }>;
}

/** The rows of a model as an organization sees them. */
export function rowsOf(db: Pick<TenantClient, Uncapitalize<Listed>>, model: Prisma.ModelName): Rows {
  return db[`${model.charAt(0).toLowerCase()}${model.slice(1)}` as Uncapitalize<Listed>];
}

/** The same within a transaction: inside `db.$transaction(async (tx) => ...)` nothing but `tx` may be used. */
export type TenantTransaction = Omit<TenantClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

interface Origin {
  readonly prisma: PrismaClient;
  readonly organizationId: string;
}

const origins = new WeakMap<TenantClient, Origin>();

/** What a client was made of; undefined within a transaction. */
export const originOf = (client: TenantClient): Origin | undefined => origins.get(client);

// Clients of transactions that are undone: what is a transaction of its own elsewhere is a part of theirs.
const undoing = new WeakMap<object, Origin>();

/** What a client was made of, also that of a transaction that is undone; undefined within any other transaction. */
export const rootOf = (client: TenantClient): Origin | undefined => originOf(client) ?? undoing.get(client);

async function partOf<T>(tx: TenantTransaction, run: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  await tx.$executeRaw`SAVEPOINT part`;
  try {
    return await run(tx);
  } catch (error) {
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT part`;
    throw error;
  }
}

/** Runs a transaction of an organization; `reads` says that nothing is written in it. */
export function transactionOf<T>(
  client: TenantClient,
  run: (tx: TenantTransaction) => Promise<T>,
  { reads = false } = {},
): Promise<T> {
  if (undoing.has(client)) return partOf(client, run);
  const organizationId = originOf(client)?.organizationId;
  if (!organizationId) throw new Error('a transaction within a transaction');
  return asOrganization(organizationId, async () => client.$transaction((tx) => run(tx as TenantTransaction)), reads);
}

/** Whether a client is of a transaction that is going to be undone. */
export const isUndone = (client: TenantClient): boolean => undoing.has(client);

/** Runs what writes in a transaction, and undoes it. Nothing but the client that is given may be used in it. */
export async function undone<T>(client: TenantClient, run: (db: TenantClient) => Promise<T>): Promise<T> {
  let done: { readonly result: T } | undefined;
  const undo = new Error('undone');
  const origin = originOf(client);
  const whole = transactionOf(client, async (tx) => {
    if (origin) undoing.set(tx, origin);
    done = { result: await run(tx as TenantClient) };
    throw undo;
  });
  return whole.catch((error: unknown) => {
    if (error === undo && done) return done.result;
    throw error;
  });
}

const clients = new WeakMap<PrismaClient, Map<string, TenantClient>>();
const MOST_CLIENTS = 1000;

/** The client of one organization. Every condition and every new row carries the organization; it cannot be left out. */
export function forOrganization(prisma: PrismaClient, organizationId: string): TenantClient {
  if (!organizationId) throw new Error('no organization');
  const known = clients.get(prisma) ?? new Map<string, TenantClient>();
  clients.set(prisma, known);
  const client = known.get(organizationId) ?? extend(prisma, organizationId);
  if (known.size >= MOST_CLIENTS) known.clear();
  known.set(organizationId, client);
  origins.set(client, { prisma, organizationId });
  return client;
}

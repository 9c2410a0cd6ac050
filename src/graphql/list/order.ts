import { invalid } from '../../billing/errors.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../../billing/period/calendar.ts';
import { isWrittenUuid } from '../../store/database/uuid.ts';

/** What a list is ordered by. The identifier is always the last key, so that rows that are equal keep their places. */
export interface Order {
  readonly column: string;
  /** The column's type in the Prisma schema. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly direction: 'asc' | 'desc';
  /** A column of text by which rows of one value are ordered before their identifiers; like these it rises in both directions. */
  readonly tie?: string | undefined;
  /** Whose rows are ordered: cursors name it, so that they are places of no other list. */
  readonly of?: string;
}

/** The order of a list that nobody asked another one of. */
export const NEWEST_FIRST: Order = { column: 'createdAt', type: 'DateTime', isNullable: false, direction: 'desc' };

type Direction = Order['direction'];
type Value = Date | bigint | number | string | null;

/** A row's place in an order. */
interface Place {
  readonly value: Value;
  readonly tie?: string | undefined;
  readonly id: string;
}

const turned = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc');

// By creation, equal moments are ordered by rising identifiers in both directions: the specification's order of lists. Indexes have
// the newest first. Every other order turns as a whole, so that one index on (organization, column, identifier) serves both directions.
const idDirection = ({ column, direction, tie }: Order): Direction =>
  column === 'createdAt' || tie ? 'asc' : direction;

/** The columns that make a row's place. */
export const placeColumns = ({ column, tie }: Order): Readonly<Record<string, true>> => ({
  ...{ id: true, [column]: true },
  ...(tie && { [tie]: true }),
});

/** `ORDER BY` of an order, or of its mirror image. Null counts as the greatest value, as PostgreSQL's indexes have it. */
export function orderBy(order: Order, isMirrored: boolean): object[] {
  const turn = (direction: Direction) => (isMirrored ? turned(direction) : direction);
  const within = order.tie ? [{ [order.tie]: turn('asc') }] : [];
  return [{ [order.column]: turn(order.direction) }, ...within, { id: turn(idDirection(order)) }];
}

const WRITE: Readonly<Record<string, (value: never) => string | number>> = {
  DateTime: (value: Date) => value.getTime(),
  BigInt: (value: bigint) => value.toString(),
  Decimal: (value: { toFixed(): string }) => value.toFixed(),
};

/** The opaque place of a row. It names the order and the kind of rows that it belongs to. */
export function cursorOf(row: object, { column, direction, type, tie, of }: Order): string {
  const { [column]: value, id, ...rest } = row as Record<string, unknown>;
  const write = WRITE[type] as ((value: unknown) => string | number) | undefined;
  const written = value === null || !write ? value : write(value);
  const place = [column, direction, written, id, ...(of === undefined ? [] : [of]), ...(tie ? [rest[tie]] : [])];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

const MOST = 2n ** 63n;

function readMoment(value: unknown): Date | undefined {
  const isMoment = Number.isInteger(value) && (value as number) >= FIRST_INSTANT && (value as number) <= LAST_INSTANT;
  return isMoment ? new Date(value as number) : undefined;
}

function readBigInt(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined;
  const integer = BigInt(value);
  return integer < MOST && integer >= -MOST ? integer : undefined;
}

const READ: Readonly<Record<string, (value: unknown) => Value | undefined>> = {
  DateTime: readMoment,
  BigInt: readBigInt,
  Decimal: (value) => (typeof value === 'string' && /^-?\d{1,200}(\.\d{1,200})?$/.test(value) ? value : undefined),
  Int: (value) => (Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? (value as number) : undefined),
  String: (value) => (typeof value === 'string' && !value.includes('\0') ? value : undefined),
};

function parse(cursor: string): unknown[] | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) && read.length >= 4 && read.length <= 6 ? read : undefined;
  } catch {
    return undefined;
  }
}

const CURSOR = 'a place that a list answered';

/**
 * Reads a cursor. Throws validation errors that name the argument: one that is none, and one of another order or list. Those of
 * before name no list, and are taken by any.
 */
export function readCursor(cursor: string, order: Order, name: string): Place {
  const [column, direction, written, id, of = order.of, last] = parse(cursor) ?? [];
  if (typeof id !== 'string' || !isWrittenUuid(id))
    throw invalid({ [name]: ['value_is_invalid'] }, { [name]: { limit: CURSOR } });
  if (of !== order.of) throw invalid({ [name]: ['value_belongs_to_another_list'] });
  const tie = order.tie ? READ.String?.(last) : null;
  if (column !== order.column || direction !== order.direction || tie === undefined) {
    throw invalid({ [name]: ['value_belongs_to_another_order'] });
  }
  const value = written === null && order.isNullable ? null : READ[order.type]?.(written);
  if (value === undefined) throw invalid({ [name]: ['value_is_invalid'] }, { [name]: { limit: CURSOR } });
  return { value, id, ...(typeof tie === 'string' && { tie }) };
}

const beyond = (direction: Direction) => (direction === 'asc' ? 'gt' : 'lt');

/**
 * The rows after a place (or before it, mirrored): first those that an index finds in one range, then, where nulls lie on the
 * other side of that range, those.
 */
export function beyondPlace(order: Order, place: Place, isMirrored: boolean): { near: object; far?: object } {
  const { value, id, tie } = place;
  const direction = isMirrored ? turned(order.direction) : order.direction;
  const within = beyond(isMirrored ? turned(idDirection(order)) : idDirection(order));
  const byId = { id: { [within]: id } };
  const ofId = order.tie ? { OR: [{ [order.tie]: { [within]: tie } }, { [order.tie]: tie, ...byId }] } : byId;
  const { column, isNullable } = order;
  if (value === null) {
    const near = { [column]: null, ...ofId };
    return direction === 'desc' ? { near, far: { [column]: { not: null } } } : { near };
  }
  const strictly = beyond(direction);
  // The bound is said twice: an index is entered at it, where a disjunction alone would be checked row by row from the start.
  const near = {
    AND: [{ [column]: { [`${strictly}e`]: value } }, { OR: [{ [column]: { [strictly]: value } }, ofId] }],
  };
  return direction === 'asc' && isNullable ? { near, far: { [column]: null } } : { near };
}

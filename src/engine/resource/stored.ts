import type { BillingError } from '../../billing/errors.ts';
import type { Fields, Sent, Values } from '../../billing/resource/field.ts';
import type { Resource } from '../../billing/resource/resource.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { Coded } from '../../store/catalogue/code-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import type { UniqueRule } from '../../store/database/unique.ts';
import type { Prisma } from '../../store/generated/prisma/client.ts';
import type { DraftsOf } from '../../store/invoice/draft-flag.ts';
import type { Changed } from '../changed.ts';
import type { Stage } from '../life/live.ts';

type Members = Readonly<Record<string, unknown>>;

/** The object that a write is about, and what it is afterwards. */
export interface Subject<F extends Fields, Parts extends object = object> {
  readonly id: string;
  readonly values: Values<F>;
  /** What it was where it changes; undefined where it is made or deleted. */
  readonly before?: Values<F>;
  /** What the caller said of it; nothing where it is deleted. */
  readonly sent: Sent<F> & Partial<Parts>;
}

/** What a write does besides the object's own row, in its transaction; says what that changed. */
export type Effect<F extends Fields, Parts extends object = object> = (
  tx: TenantTransaction,
  actor: Actor,
  subject: Subject<F, Parts>,
) => Promise<Changed>;

/** Where objects of a resource are stored, whatever their members. */
export interface StoredRows {
  readonly resource: { readonly name: string; readonly fields: Fields };
  readonly model: Prisma.ModelName;
}

/** What a write does with the parts of a body that are no members of the resource: rows that belong to the object, with rules of their own. */
export interface PartsWrite {
  /** What is wrong with them; told with what is wrong with the rest. */
  readonly refusal: BillingError | undefined;
  /** Stores them, once the object is there; says what that changed besides, and what the log keeps of them. */
  save(id: string): Promise<{ readonly changed: Changed; readonly before: Members; readonly after: Members }>;
}

/** The object whose parts are written: it is there, and locked. */
export interface Whole {
  readonly id: string;
  /** Whether members that cannot change are refused where they would; else they are left as they are without a word. */
  readonly refusesIgnored: boolean;
}

/** Reads the parts of a body, of a new object where none is given. */
type ReadParts<Parts extends object> = (
  tx: TenantTransaction,
  actor: Actor,
  sent: Parts,
  of: Whole | undefined,
) => Promise<PartsWrite>;

/** A resource whose objects are named by a code, with where its rows are and what its writes do besides. */
export interface Stored<F extends Fields, Parts extends object = object> extends StoredRows {
  readonly resource: Resource<F, Coded>;
  readonly unique: UniqueRule;
  /** Throws where not another one may be made; before anything is looked into. */
  readonly admitted?: (tx: TenantTransaction, actor: Actor) => Promise<void>;
  /** What is meant by what was sent, where members say something of each other. */
  readonly meant?: (sent: Sent<F>) => Sent<F>;
  /**
   * Why nothing may be done with what was sent, at a moment and of the object as it is (undefined of a new one). What names members is
   * told with all else that is wrong with them; anything else before that.
   */
  readonly refused?: (
    sent: Sent<F>,
    of: { readonly now: Date; readonly before: Values<F> | undefined },
  ) => BillingError | undefined;
  /** Columns that follow from the members. */
  readonly derived?: (values: Values<F>) => Members;
  /** Which rows with a code are named by it; by default those that are not deleted. */
  readonly named?: object;
  readonly parts?: ReadParts<Parts>;
  /** After it was created or changed. */
  readonly saved?: Effect<F, Parts>;
  /** After the row of one that changed has been stored; `changed` is what its write changed besides so far. */
  readonly followed?: (stage: Stage, subject: Required<Subject<F>>, changed: Changed) => Promise<Changed>;
  /** Members that cannot change now; of those that are sent another value is refused in GraphQL, and left aside in REST. */
  readonly frozen?: (tx: TenantTransaction, id: string) => Promise<readonly string[]>;
  /** Before it is deleted. */
  readonly deleted?: (...of: [...Parameters<Effect<F>>, db: TenantClient]) => Promise<Changed>;
  /**
   * Which drafts are made of an object that was made (without `before`), changed, or deleted (without `values`), and of what its write
   * changed besides: they are to be computed anew.
   */
  readonly drafts?: (
    of: Pick<Partial<Subject<F>>, 'values' | 'before'> & { readonly id: string },
    changed: Changed,
  ) => DraftsOf;
}

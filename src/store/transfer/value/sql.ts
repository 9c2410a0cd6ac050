import type { Prisma } from '../../generated/prisma/client.ts';

/** A stored row as text, as far as it was asked for. */
export type Found = Readonly<Record<string, string | null>>;

type Parameter = string | null | readonly string[];

/** Hand-written SQL inside one transaction. Every value of a result is text or null. */
export class Sql {
  constructor(private readonly transaction: Prisma.TransactionClient) {}

  rows(statement: string, ...parameters: Parameter[]): Promise<Found[]> {
    return this.transaction.$queryRawUnsafe<Found[]>(statement, ...parameters);
  }

  /** Returns the number of rows written. */
  run(statement: string, ...parameters: Parameter[]): Promise<number> {
    return this.transaction.$executeRawUnsafe(statement, ...parameters);
  }
}

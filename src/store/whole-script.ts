import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';

/**
 * An adapter whose scripts reach the server whole. Prisma's own cuts them at every semicolon, also inside of functions;
 * the server reads them right, and runs one script as one transaction.
 */
export function wholeScripts(pool: pg.Pool): PrismaPg {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      await pool.query(script);
    };
    return adapter;
  };
  return factory;
}

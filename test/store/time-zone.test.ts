import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { createServerDatabase } from '../support.ts';

// The embedded server has no other zone than UTC.
describe.runIf(process.env.DATABASE_URL)('a server in another time zone', () => {
  it.each(['Asia/Kathmandu', 'America/St_Johns'])('%s: moments are what they were', async (zone) => {
    const { url, drop } = await createServerDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const moment = '2026-03-29T00:30:00.000Z';
    try {
      await client.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone TO '${zone}'`);
      await client.query('INSERT INTO organizations (id, name, created_at) VALUES (gen_random_uuid(), $1, $2)', [
        'sql',
        moment,
      ]);
      const { prisma, close } = await openDatabase({ url, poolSize: 2 });
      const { id } = await prisma.organization.create({ data: { name: 'prisma', createdAt: new Date(moment) } });
      const read = await prisma.organization.findMany({ select: { createdAt: true } });
      await close();
      expect(read.map(({ createdAt }) => createdAt.toISOString())).toEqual([moment, moment]);
      const { rows } = await client.query('SELECT created_at FROM organizations WHERE id = $1', [id]);
      expect(rows[0].created_at.toISOString()).toBe(moment);
    } finally {
      await client.end();
      await drop();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadApp, IDS } from '../fixture.ts';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';

const PATH = `/plans/orchid/charges/api_calls/filters/${IDS.filter}`;
let app: Awaited<ReturnType<typeof createReadApp>>;
beforeAll(async () => {
  app = await createReadApp();
});
afterAll(() => app.close());

describe('200', () => {
  it('a filter', async () => {
    const { status, body } = await app.rest('GET', PATH);
    expect(status).toBe(200);
    expect(body).toEqual({
      filter: {
        svc_id: IDS.filter,
        charge_code: 'api_calls',
        invoice_display_name: 'Europe',
        properties: { amount: '0.20' },
        values: { region: ['eu'] },
      },
    });
  });
  it('a filter without a name', async () => {
    const { body } = await app.rest('GET', `/plans/orchid/charges/ranges/filters/${IDS.otherFilter}`);
    expect(body.filter.invoice_display_name).toBeNull();
  });
});

itIsGuarded(
  () => app,
  'GET',
  () => PATH,
  'plan:read',
);

describe('404', () => {
  it.each([
    ['an unknown plan', `/plans/nope/charges/api_calls/filters/${IDS.filter}`],
    ['an unknown charge', `/plans/orchid/charges/nope/filters/${IDS.filter}`],
    ['a filter of another charge', `/plans/orchid/charges/api_calls/filters/${IDS.otherFilter}`],
    ['an unknown filter', '/plans/orchid/charges/api_calls/filters/7d0f5a34-1b1e-4c57-9a52-999999999999'],
    ['not a UUID', '/plans/orchid/charges/api_calls/filters/1'],
  ])('%s', async (_name, path) => {
    const { status, body } = await app.rest('GET', path);
    expect(status).toBe(404);
    expect(body).toEqual(NOT_FOUND);
  });
  it("another organization's filter", async () => {
    expect((await app.rest('GET', PATH, undefined, { key: app.other })).status).toBe(404);
  });
  it('a filter of an override, although plan and code are the same', async () => {
    const own = await app.db.prisma.chargeFilter.findFirstOrThrow({
      where: { charge: { parentId: IDS.parentCharge } },
    });
    expect((await app.rest('GET', `/plans/orchid/charges/api_calls/filters/${own.id}`)).status).toBe(404);
  });
  it('a deleted filter', async () => {
    const where = { id: IDS.otherFilter };
    await app.db.prisma.chargeFilter.update({ where, data: { deletedAt: new Date() } });
    expect((await app.rest('GET', `/plans/orchid/charges/ranges/filters/${IDS.otherFilter}`)).status).toBe(404);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cleanUp, run, temporaryFolder } from './process.ts';

// Each test starts the program, beside whatever else the machine does.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

let DATA_DIR: string;
const command = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(args, { DATA_DIR }).ended;
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
};

beforeAll(async () => {
  DATA_DIR = await temporaryFolder();
  const started = ago(20);
  const document = {
    billing_entities: [{ code: 'main', name: 'Main', is_default: true, timezone: 'UTC' }],
    plans: [{ code: 'weekly', interval: 'weekly', amount_cents: 3000, amount_currency: 'EUR' }],
    customers: [{ external_id: 'cust', currency: 'EUR' }],
    subscriptions: [
      {
        ...{ external_id: 'sub', external_customer_id: 'cust', plan_code: 'weekly', status: 'active' },
        ...{ billing_time: 'anniversary', subscription_at: started, started_at: started, created_at: started },
      },
    ],
  };
  const file = join(await temporaryFolder(), 'document.json');
  await writeFile(file, JSON.stringify(document));
  expect((await run(['import', file, '--organization', 'Quillo'], { DATA_DIR }).ended).code).toBe(0);
});
afterAll(cleanUp);

it('bills what is due since a day ago, what was missed where it is said since when, and nothing twice', async () => {
  const invoices = (count: number) => ({ code: 0, stdout: `Quillo: ${count} invoices.`, stderr: '' });
  expect(await command('bill')).toEqual(invoices(0)); // the week ended six days ago
  expect(await command('bill', '--since', ago(18))).toEqual(invoices(2));
  expect(await command('bill', '--since', ago(18))).toEqual(invoices(0));
});

it.each([
  ['soon', 'soon is not a date-time with an offset (2027-01-31T00:00:00Z)'],
  ['2126-01-01T00:00:00Z', '2126-01-01T00:00:00Z is not past'],
])('--since %s is refused before anything is opened', async (since, reason) => {
  const { code, stderr } = await command('bill', '--since', since);
  expect(code).toBe(1);
  expect(stderr).toContain(reason);
});

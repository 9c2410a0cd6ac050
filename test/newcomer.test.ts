import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTrial } from '../src/command/demo.ts';
import { TRIAL } from '../src/command/trial.ts';
import { type Served, serveApp } from './browser.ts';
import { createTestApp, type TestApp } from './support.ts';

// What README and the tabs of GraphiQL say to a newcomer is pasted and sent as it stands there, each in an organization of its own.

const KEY = 'sk_svc_trial';
const shell = promisify(execFile);

let readme: string;
beforeAll(async () => {
  readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
});

/** The blocks of code of a section. */
function blocksOf(title: string): string[] {
  const [, section = ''] = readme.split(`## ${title}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

const withTrial = () => {
  const held: { app?: TestApp; served?: Served } = {};
  beforeAll(async () => {
    held.app = await createTestApp();
    await addTrial(held.app.db.prisma);
    held.served = await serveApp(held.app.app);
  });
  afterAll(async () => {
    await held.served?.close();
    await held.app?.close();
  });
  return () => held.served?.origin ?? '';
};

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

/** 300 calls at 0.50 beside 49.00 a month, then three of them. */
const PREVIEWED = [15_000, 4900];
const BILLED = [150, 4900];
const amountsOf = (fees: readonly { readonly amountCents: string }[]) =>
  fees.map(({ amountCents }) => Number(amountCents)).sort((one, other) => one - other);
const sorted = (amounts: readonly number[]) => [...amounts].sort((one, other) => one - other);

async function expectPdf(address: string) {
  const file = await fetch(address);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await file.text()).slice(0, 5)).toBe('%PDF-');
}

describe('the lines of the README, pasted one block after another', () => {
  const origin = withTrial();
  const answers: Body[] = [];

  it('are answered, each with what it asks for', async () => {
    const blocks = blocksOf("A newcomer's ten minutes");
    expect(blocks).toHaveLength(4);
    const script = blocks.join('').replaceAll('http://127.0.0.1:4000', origin());
    const { stdout, stderr } = await shell('bash', ['-ec', script]);
    expect(stderr).toBe('');
    answers.push(
      ...stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect(answers.filter((answer) => answer.error !== undefined || answer.errors !== undefined)).toEqual([]);
    expect(answers.map((answer) => Object.keys(answer.data ?? answer)[0])).toEqual([
      'billable_metric',
      'plan',
      'customer',
      'invoicePreview',
      'subscription',
      'events',
      'advanceClock',
      'invoices',
    ]);
  });

  it('show the first preview', () => {
    const { invoicePreview } = answers[3].data;
    expect(invoicePreview.issuingDate).toBe('2026-02-01');
    expect(amountsOf(invoicePreview.allFees)).toEqual(sorted(PREVIEWED));
  });

  it('bill the month, with a document', async () => {
    const [invoice] = answers[7].data.invoices.nodes;
    expect(invoice).toMatchObject({ issuingDate: '2026-02-01', totalAmountCents: '5050' });
    expect(amountsOf(invoice.fees.nodes)).toEqual(sorted(BILLED));
    await expectPdf(invoice.fileUrl);
  });
});

describe('the tabs of GraphiQL, one after another', () => {
  const origin = withTrial();
  const answers: Body[] = [];

  it.each(TRIAL.map((query) => [/(?:mutation|query) (\w+)/.exec(query)?.[1] ?? '', query] as const))(
    '%s',
    async (_, query) => {
      const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${origin()}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
      const { data, errors } = (await response.json()) as Body;
      expect(errors).toBeUndefined();
      answers.push(data);
    },
  );

  it('show the first preview, and the invoice with its document', async () => {
    const [made, { invoicePreview }, subscribed, moved, { invoices }] = answers;
    expect(made.createPlan.code).toBe('team');
    expect(amountsOf(invoicePreview.allFees)).toEqual(sorted(PREVIEWED));
    expect(subscribed.createSubscription.status).toBe('active');
    expect(moved.advanceClock.testClockAt).toBe('2026-02-02T00:00:00Z');
    expect(invoices.nodes[0]).toMatchObject({ status: 'finalized', totalAmountCents: '5050' });
    expect(amountsOf(invoices.nodes[0].fees.nodes)).toEqual(sorted(BILLED));
    await expectPdf(invoices.nodes[0].fileUrl);
  });
});

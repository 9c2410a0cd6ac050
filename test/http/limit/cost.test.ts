import { getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { operationCost } from '../../../src/http/limit/cost.ts';

const pageSizes = { first: 20, mostFirst: 100, perPage: 100, mostPerPage: 1000 };

function costOf(source: string, variables: Record<string, unknown> = {}): number {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return operationCost(operation, { schema, document, pageSizes })(variables);
}

const preview = (input: string) => `{ invoicePreview(input: ${input}) { number } }`;
const EVENT = '{ properties: { region: "eu" } }';
const events = Array.from({ length: 1200 }, () => ({ properties: { region: 'eu' } }));

it.each([
  ['without usage', preview('{ planCode: "scale" }'), 1],
  ['with units of a metric', preview('{ planCode: "scale", usage: [{ metricCode: "calls", units: "3" }] }'), 6],
  ['with three events', preview(`{ usage: [{ metricCode: "calls", events: [${EVENT}, ${EVENT}, ${EVENT}] }] }`), 21],
])('a preview costs what it is asked to suppose: %s', (_name, source, cost) => {
  expect(costOf(source)).toBe(cost);
});

it('also where that is a variable, in whole or in part, or its default', () => {
  const usage = [{ metricCode: 'calls', events }];
  const whole = 'query ($input: InvoicePreviewInput!) { invoicePreview(input: $input) { number } }';
  expect(costOf(whole, { input: { usage } })).toBe(1 + 5 * 1201);
  const part = `query ($usage: [PreviewUsageInput!]) ${preview('{ usage: $usage }')}`;
  expect(costOf(part, { usage })).toBe(1 + 5 * 1201);
  const fallback = `query ($usage: [PreviewUsageInput!] = [{ metricCode: "a", events: [${EVENT}] }]) ${preview('{ usage: $usage }')}`;
  expect(costOf(fallback)).toBe(1 + 5 * 2);
});

it('aliases add up', () => {
  const aliases = Array.from({ length: 6 }, (_, at) => `p${at}: invoicePreview(input: $input) { number }`);
  const source = `query ($input: InvoicePreviewInput!) { ${aliases.join(' ')} }`;
  expect(costOf(source, { input: { usage: [{ metricCode: 'calls', events }] } })).toBe(6 * (1 + 5 * 1201));
});

it('fragments within fragments are reckoned once, whatever the variables are', () => {
  const inner = '{ nodes { svcId customer { ...F$ } } }';
  const level = (at: number) =>
    `fragment F${at} on Customer { a: invoices(first: $n) ${inner.replace('$', String(at + 1))} b: invoices(first: $m) ${inner.replace('$', String(at + 1))} }`;
  const levels = Array.from({ length: 40 }, (_, at) => level(at)).join(' ');
  const source = `query ($n: Int, $m: Int) { customers(first: 1) { nodes { ...F0 } } } ${levels} fragment F40 on Customer { svcId }`;
  const cost = (n: number, m: number) => {
    let below = 0;
    for (let at = 0; at < 40; at += 1) below = 2 + (n + m) * (1 + 1 + below);
    return 1 + 1 + below;
  };
  expect(costOf(source, { n: 1, m: 0 })).toBe(cost(1, 0));
  expect(costOf(source, { n: 2, m: 1 })).toBe(cost(2, 1));
});

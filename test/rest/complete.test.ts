import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { routes } from '../../src/rest/index.ts';

interface Known {
  readonly area: string;
  readonly method: string;
  readonly path: string;
}

const known: Readonly<Record<string, Known>> = JSON.parse(
  readFileSync(new URL('../contract/operations.json', import.meta.url), 'utf8'),
).operations;

/** What an application builds and keeps: of these areas everything that the interface has is served. */
const WHOLE_AREAS = [
  ...['billing_entities', 'organizations', 'taxes', 'billable_metrics', 'add_ons', 'plans', 'coupons', 'customers'],
  ...['payment_methods', 'features', 'entitlements', 'analytics', 'subscriptions', 'events', 'fees', 'invoices'],
];

const placeOf = ({ method, path }: Pick<Known, 'method' | 'path'>) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
const served = new Set(routes.map(placeOf));

it.each(WHOLE_AREAS)('every operation of %s is served', (area) => {
  const all = Object.entries(known).filter(([, operation]) => operation.area === area);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(([, operation]) => !served.has(placeOf(operation))).map(([name]) => name)).toEqual([]);
});

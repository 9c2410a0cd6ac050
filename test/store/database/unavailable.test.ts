import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../../src/store/database/unavailable.ts';

it.each([
  [
    'a connection that broke inside a transaction',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  [
    'a server that shuts down',
    Object.assign(new Error('x'), { meta: { driverAdapterError: { cause: { code: '57P03' } } } }),
  ],
  ['a cause further down', new Error('x', { cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) })],
])('%s says that the database cannot be reached', (_name, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

it.each([new Error('null value in column'), undefined, 'ECONNREFUSED'])('%s does not', (error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});

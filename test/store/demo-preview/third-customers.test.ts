import { expect, it } from 'vitest';
import { comparePart } from './demo-preview.ts';

// Rules are the same on both databases: on a server, which answers in less time, all customers are compared.
it.runIf(process.env.DATABASE_URL)(
  'a preview at the end of a period is the invoice of that period: third part of Quintavel',
  {
    timeout: 300_000,
  },
  async () => {
    expect(await comparePart('Quintavel', 2)).toEqual({ same: 255, yearly: 22, closed: 12, 'topped up': 1 });
  },
);

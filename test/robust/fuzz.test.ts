import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20260615);

// A share of what fuzz.alone.ts sends: each endpoint, mutation and query once or twice.
it(`requests that no client should send are answered in the API's shape and change no row (seed ${SEED})`, async () => {
  const { faults } = await fuzz(600, SEED);
  expect(faults.slice(0, 20), `${faults.length} faults`).toEqual([]);
}, 120_000);

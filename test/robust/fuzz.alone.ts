import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

const COUNT = Number(process.env.FUZZ_COUNT ?? 10_000);
// Another one each time, so that runs add up; one that found something is given again.
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
const MEGABYTES = 15;

it(`${COUNT} requests that no client should send: no fault, no row changed, memory flat (FUZZ_SEED=${SEED})`, async () => {
  const { faults, statuses, growth } = await fuzz(COUNT, SEED);
  expect(faults.slice(0, 20), `${faults.length} faults`).toEqual([]);
  // Each kind of answer came, or the generator misses what it is for.
  for (const status of [200, 400, 401, 403, 404, 422]) expect(statuses[status], String(status)).toBeGreaterThan(20);
  expect(growth).toBeLessThan(MEGABYTES);
}, 900_000);

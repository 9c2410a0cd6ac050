import { defineConfig } from 'vitest/config';

/** Parts of names of tests, with commas: a few files are mutated in minutes by the tests that are theirs. */
const named = process.env.MUTATION_TESTS?.split(',').map((name) => `test/billing/**/*${name}*.test.ts`);

/** The pure tests of the rules: quick enough to be run for every mutant. What draws its cases at random, or reads source, is left out. */
export default defineConfig({
  test: {
    include: named ?? ['test/billing/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      'test/billing/demo.test.ts',
      'test/billing/members/**',
      'test/billing/*-properties.test.ts',
    ],
    expect: { requireAssertions: true },
    testTimeout: 20_000,
  },
});

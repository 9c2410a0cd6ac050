import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { CaseReporter } from './cases/case-reporter.ts';

export default defineConfig({
  // graphql 16 has no `exports`: Vite would take index.mjs where Node takes index.js, and two copies refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/template.ts'],
    exclude: ['**/node_modules/**'],
    // A test that asserts nothing, or only in a loop over nothing, cannot fail: it does.
    expect: { requireAssertions: true },
    reporters: ['default', new CaseReporter()],
    // Files share the modules of their process, which takes longer to load than most of them run: none leaves anything behind in one.
    isolate: false,
    // Vitest leaves a core to itself, which is half of a machine of two.
    maxWorkers: Math.max(availableParallelism() - 1, 2),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

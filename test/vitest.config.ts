import { defineConfig } from 'vitest/config';

export default defineConfig({
  // graphql 16 has no `exports`: Vite would take index.mjs where Node takes index.js, and two copies refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/template.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

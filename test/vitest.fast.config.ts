import { mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** The rules and the wire, in about a minute: what to run while one works. `npm test` runs everything. */
const RULES = [
  'test/billing/**/*.test.ts',
  'test/{architecture,cases,config}.test.ts',
  'test/pdf/**/{format,lines}.test.ts',
];
const WIRE = [
  'test/http/**/{app,document-cache,error-page,graphql,manners,rest}.test.ts',
  'test/rest/**/{get-*,openapi,terminate-wallet}.test.ts',
  'test/graphql/{description,schema-change}.test.ts',
];
// What draws hundreds of cases at random, or reads the whole demo.
const SLOW = ['test/billing/demo.test.ts', 'test/billing/*-properties.test.ts'];

const config = mergeConfig(whole, {});
export default {
  ...config,
  // Known cases are held by all tests together.
  test: { ...config.test, include: [...RULES, ...WIRE], exclude: SLOW, reporters: ['default'] },
};

import { mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** Events in ClickHouse: what must hold of them wherever they are, and what only that store has. */
const config = mergeConfig(whole, {});
const some = {
  include: ['test/clickhouse/**/*.check.ts', 'test/store/usage/usage-vectors.test.ts'],
  globalSetup: [...config.test.globalSetup, 'test/clickhouse/start-engine.ts'],
  fileParallelism: false,
  reporters: ['default'],
};
export default { ...config, test: { ...config.test, ...some } };

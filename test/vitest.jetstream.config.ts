import { mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** The buffer of events in NATS JetStream. */
const config = mergeConfig(whole, {});
const some = {
  include: ['test/jetstream/**/*.check.ts'],
  globalSetup: [...config.test.globalSetup, 'test/jetstream/start-server.ts'],
  fileParallelism: false,
  reporters: ['default'],
};
export default { ...config, test: { ...config.test, ...some } };

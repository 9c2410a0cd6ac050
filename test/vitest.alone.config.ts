import { mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** What measures how soon the gateway answers: with nothing else beside it, else it measures the other tests. */
const config = mergeConfig(whole, {});
const some = { include: ['test/**/*.alone.ts'], fileParallelism: false, reporters: ['default'] };
export default { ...config, test: { ...config.test, ...some } };

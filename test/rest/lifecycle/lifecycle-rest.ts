import type { Database } from '../../../src/store/database/database.ts';
import { live } from '../../billing/vectors/lifecycle.ts';
import type { LifecycleCase } from '../../billing/vectors/lifecycle-type.ts';
import { type FileReport, reportWith } from '../../billing/vectors/report.ts';
import { apiEngine } from './life-api.ts';
import { withGateway } from './life-gateway.ts';

/** Lives through all cases as requests, each in an organization of its own with a clock. */
export function reportOnLives(cases: readonly unknown[], db?: Database): Promise<FileReport> {
  return withGateway(async (gateway) => {
    const evaluate = async (one: unknown) => {
      const life = one as LifecycleCase;
      gateway.register.answer = 'unavailable';
      return live(life, await apiEngine(gateway, life));
    };
    return reportWith({ file: 'lifecycle through REST', evaluate }, cases);
  }, db);
}

import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { knownCases, type Outcome, openCases } from './known-case.ts';

/** Fails a run of all tests that leaves a known case unproven. A run of some files or names says nothing of the rest. */
export class CaseReporter implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  /** Of every test file there is, not of those that were asked for by name. */
  private async isWhole(modules: readonly TestModule[]): Promise<boolean> {
    const all = await this.vitest?.globTestSpecifications();
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    return !this.vitest?.config.testNamePattern && all !== undefined && all.every(({ moduleId }) => ran.has(moduleId));
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (!(await this.isWhole(modules))) return;
    const outcomes = modules.flatMap((module) => [...module.children.allTests()].map(outcomeOf));
    const open = openCases(
      knownCases().map(({ id }) => id),
      outcomes,
    );
    if (open.length === 0) return;
    console.error(`Known cases:\n  ${open.join('\n  ')}`);
    process.exitCode = 1;
  }
}

const outcomeOf = (test: TestCase): Outcome => ({ name: test.fullName, state: test.result().state });

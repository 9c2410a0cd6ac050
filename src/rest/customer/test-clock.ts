import { document } from '../document.ts';
import type { Route } from '../route.ts';

interface Body {
  readonly to?: unknown;
}

/** Moves the clock of a test organization on: an operation of this gateway alone, for those who test their billing over REST. */
export const advanceTestClock: Route = {
  ...{ method: 'POST', path: '/test_clock/advance', permission: 'organization:write', operation: 'advanceTestClock' },
  document: document(
    `mutation advanceTestClock($to: DateTime!) {
      test_clock: advanceClock(input: { to: $to }) { now: testClockAt }
    }`,
  ),
  ...{ body: true, dependsOnState: true },
  variables: ({ body }) => {
    const { to }: Body = Object(body);
    return { to };
  },
};

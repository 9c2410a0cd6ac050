import type { App } from '../../src/app.ts';
import { routes } from '../../src/rest/index.ts';
import { graphWrites } from '../rest/sample.ts';
import { exampleAddress, exampleOf } from './fuzz-targets.ts';

// Of what is made once and stays, no second one is needed.
const STAYING = /^create(Invoice|Event|BatchEvents)$/;

/** What was taken away is made again: what examples make, also for a subscription, and what is made of samples. */
export async function makeAgain(app: App, key: string): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const request = new Request(`http://gateway.test${path}`, { method, headers, body: JSON.stringify(body) });
    await (await app.fetch(request)).text();
  };
  for (const { query, verb, variables } of graphWrites) {
    if (verb === 'create') await send('POST', '/graphql', { query, variables: variables('sample', true) });
  }
  for (const route of routes) {
    const { operation, method } = route;
    const isMaking = /^create/.test(operation) && !STAYING.test(operation);
    if (!isMaking && operation !== 'updateSubscriptionEntitlements') continue;
    await send(method, `/api/v1${exampleAddress(route)}`, exampleOf(route).request);
  }
}

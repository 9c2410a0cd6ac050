import { isMembers, parseBody, readBody, rootOf } from '../wire/body.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { isBillingError } from '../wire/rest-error.ts';

interface Asked {
  readonly endpoint: Endpoint;
  readonly request: Request;
}

/** The objects under a name in a body, as they were sent. */
async function itemsOf(request: Request, list: string, limit: number): Promise<readonly unknown[]> {
  try {
    const body = rootOf(parseBody(await readBody(request, limit)), undefined);
    const items = isMembers(body) ? body[list] : undefined;
    return Array.isArray(items) ? items : [];
  } catch (error) {
    // What cannot be read is refused by the route itself.
    if (isBillingError(error)) return [];
    throw error;
  }
}

/** The call as it is meant: of several objects at once where the body has some and the route takes them, with what was sent of each. */
export async function meantCall<Call extends Asked>(
  call: Call,
  limit: number,
): Promise<{ readonly call: Call; readonly items?: readonly unknown[] }> {
  const { batch, route } = call.endpoint;
  if (!batch || !route.batch) return { call };
  const items = await itemsOf(call.request, route.batch.list, limit);
  return items.length > 0 ? { call: { ...call, endpoint: batch }, items } : { call };
}

import { badRequest, forbidden } from '../../billing/errors.ts';
import type { Route } from '../../rest/route.ts';
import { rootOf } from '../wire/body.ts';

/** A scalar where a container belongs is a wrong value of its member; another container is a malformed request. */
export function checkContainers({ containers = {} }: Route, body: unknown): void {
  for (const [name, kind] of Object.entries(containers)) {
    const value = (body as Record<string, unknown> | undefined)?.[name];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) !== (kind === 'list')) throw badRequest();
  }
}

/** The object under the route's root. What nobody may ask for beside it is refused before anything of it is looked at. */
export function allowedRoot({ root, forbidden: refused = {} }: Route, body: unknown): unknown {
  const value = rootOf(body, root);
  for (const [name, code] of Object.entries(refused)) {
    if ((body as Record<string, unknown>)[name] != null) throw forbidden(code);
  }
  return value;
}

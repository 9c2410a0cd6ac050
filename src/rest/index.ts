import type { Route } from './route.ts';

/** The endpoints in the order of the specification. */
export const routes: readonly Route[] = [];

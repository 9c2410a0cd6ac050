import type { Route } from '../../rest/route.ts';
import { withTime } from './unix-time.ts';

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Levels = NonNullable<Route['keyed']>[string];

/** An object by keys as a list of objects; a list in its place becomes what no list is, so that it is refused as any other form. */
function asList(value: unknown, [level, ...below]: Levels): unknown {
  if (!level || !isMembers(value)) return level && Array.isArray(value) ? {} : value;
  const [key, under] = level;
  return Object.entries(value).map(([name, inner]) => ({ [key]: name, [under]: asList(inner, below) }));
}

/** A body in the form that the document of its route takes: moments in ISO 8601, objects by keys as lists. */
export function documentBody({ unixTime, keyed = {} }: Pick<Route, 'unixTime' | 'keyed'>, body: unknown): unknown {
  const timed = unixTime ? withTime(body, unixTime) : body;
  if (!isMembers(timed)) return timed;
  const lists = Object.entries(keyed).filter(([name]) => Object.hasOwn(timed, name));
  if (lists.length === 0) return timed;
  const read = lists.map(([name, levels]) => [name, asList(timed[name], levels)]);
  return Object.assign(Object.create(null), timed, Object.fromEntries(read));
}

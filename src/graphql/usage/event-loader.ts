import DataLoader from 'dataloader';
import type { Context } from '../context.ts';

/** What is read of many events by one statement for all that an operation shows. */
export function ofEvents<Event extends { readonly id: string }, Value>(
  read: (db: Context['db'], organizationId: string, events: readonly Event[]) => Promise<ReadonlyMap<string, Value>>,
) {
  const loaders = new WeakMap<Context, DataLoader<Event, Value | undefined, string>>();
  return (context: Context, event: Event): Promise<Value | undefined> => {
    const load = async (events: readonly Event[]) => {
      const found = await read(context.db, context.caller.organizationId, events);
      return events.map(({ id }) => found.get(id));
    };
    const loader = loaders.get(context) ?? new DataLoader(load, { cacheKeyFn: ({ id }) => id });
    loaders.set(context, loader);
    return loader.load(event);
  };
}

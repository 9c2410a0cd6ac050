import { encodeGlobalID } from '@pothos/plugin-relay';
import DataLoader from 'dataloader';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import type { Context } from '../context.ts';

const COLUMNS = {
  ...{ id: true, name: true, kind: true, prefix: true, lastFour: true },
  ...{ createdAt: true, expiresAt: true, revokedAt: true, lastUsedAt: true },
} as const;

interface KeyRow {
  readonly id: string;
  readonly name: string | null;
  readonly kind: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export const ApiKey = builder.objectRef<KeyRow>('ApiKey').implement({
  description: 'An API key, by what tells it from others; the key itself is stored nowhere.',
  extensions: { resource: 'activity_log' },
  fields: (t) => ({
    id: t.id({ description: 'Opaque identifier.', resolve: ({ id }) => encodeGlobalID('ApiKey', id) }),
    svcId: t.field({ type: 'UUID', description: 'Identifier assigned by the service.', resolve: ({ id }) => id }),
    name: t.exposeString('name', { nullable: true, description: 'Free text that tells where the key is used.' }),
    kind: t.field({ type: enumRef('ApiKeyKind'), description: 'Who the key is for.', resolve: ({ kind }) => kind }),
    prefix: t.exposeString('prefix', { description: 'Visible start of the key, for example `sk_svc_`.' }),
    lastFour: t.exposeString('lastFour', { description: 'Last four characters of the key.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    expiresAt: t.expose('expiresAt', {
      ...{ type: 'DateTime', nullable: true },
      description: 'From this moment on the key is refused; null: never.',
    }),
    revokedAt: t.expose('revokedAt', {
      ...{ type: 'DateTime', nullable: true },
      description: 'When the key was revoked; null where it was not.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      ...{ type: 'DateTime', nullable: true },
      description: 'When the key was last used, to the minute.',
    }),
  }),
});

const loaders = new WeakMap<Context, DataLoader<string, KeyRow | null>>();

function loaderOf(context: Context): DataLoader<string, KeyRow | null> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<string, KeyRow | null>(async (ids) => {
    const rows = await context.db.apiKey.findMany({ where: { id: { in: [...ids] } }, select: COLUMNS });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });
  loaders.set(context, loader);
  return loader;
}

/** The organization's key with this identifier, all those of a request by one statement; null where there is none. */
export const apiKeyOf = (id: string, context: Context): Promise<KeyRow | null> => loaderOf(context).load(id);

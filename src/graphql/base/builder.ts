import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type PrismaTypes from '../../store/generated/pothos.ts';
import { getDatamodel } from '../../store/generated/pothos.ts';
import type { Context } from '../context.ts';

/** What a Decimal field may resolve to: any decimal class, or the text of one. */
export type DecimalValue = string | { toFixed(): string };

export interface SchemaShape {
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    BigInt: { Input: bigint; Output: bigint };
    Decimal: { Input: string; Output: DecimalValue };
    Percentage: { Input: string; Output: DecimalValue };
    Date: { Input: Date; Output: Date };
    DateTime: { Input: Date; Output: Date };
    PreciseDateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    UUID: { Input: string; Output: string };
    CountryCode: { Input: string; Output: string };
    TimeZone: { Input: string; Output: string };
    Locale: { Input: string; Output: string };
    URL: { Input: string; Output: string };
    EmailAddress: { Input: string; Output: string };
    DateOrDateTime: { Input: string; Output: string };
  };
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaShape>;
export type Model = keyof PrismaTypes;

// GraphQL's own root for live operations is called Subscription.
const TYPE_NAMES: Partial<Record<Model, string>> = { Subscription: 'BillingSubscription' };

/** The name of the GraphQL type that shows rows of a model. */
export const typeName = (model: Model): string => TYPE_NAMES[model] ?? model;

/** The model whose rows a type shows. */
export const modelOf = (type: string): Model =>
  (Object.entries(TYPE_NAMES).find(([, name]) => name === type)?.[0] ?? type) as Model;

/** The one schema builder. Descriptions of columns come from the `///` comments of the Prisma schema. */
export const builder = new SchemaBuilder<SchemaShape>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    // What is tried only is not the object that a client keeps under its identifier.
    encodeGlobalID: (type, id, context) => {
      const { dryRun, requestId } = context as Context;
      return Buffer.from(`${dryRun ? `dry-run/${requestId}/` : ''}${type}:${id}`).toString('base64');
    },
    nodeTypeOptions: { description: 'An object that can be read by its opaque identifier.' },
    idFieldOptions: { description: 'Opaque identifier, for `node`.' },
    nodeQueryOptions: {
      description: 'The object with this opaque identifier; null where the key may not see one.',
      args: { id: { description: 'The `id` of the object.' } },
    },
    nodesQueryOptions: {
      description: 'The objects with these opaque identifiers, in their order, null where one is not found.',
      args: { ids: { description: 'The `id` of each object.' } },
    },
    pageInfoTypeOptions: { description: 'What lies around the page of a list.' },
    hasNextPageFieldOptions: { description: 'Whether there are objects after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are objects before this page.' },
    startCursorFieldOptions: { description: 'Place of the first object of this page; null where it is empty.' },
    endCursorFieldOptions: { description: 'Place of the last object of this page; null where it is empty.' },
  },
  prisma: {
    client: (context) => context.db,
    dmmf: getDatamodel(),
    exposeDescriptions: true,
    onUnusedQuery: null,
  },
});

builder.queryType({ description: 'What can be read.' });

builder.mutationType({ description: 'What can be changed.' });

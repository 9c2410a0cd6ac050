import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { isUuid } from '../../store/database/uuid.ts';
import { builder } from '../base/builder.ts';
import { firstOf, SAME_ROW } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom } from '../base/guard.ts';
import { checkFilteredEntities } from '../list/entity-code.ts';
import { findById, findOne } from '../list/find-by-id.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookup } from '../list/root.ts';
import { creditNoteFilter } from './credit-filter.ts';

const ITEM = { itemId: true, itemType: true, itemCode: true, itemName: true } as const;

interface Item {
  readonly itemId: string;
  readonly itemType: string;
  readonly itemCode: string;
  readonly itemName: string;
}

const CreditItem = builder.objectRef<Item>('CreditItem').implement({
  description: 'The coupon, credit note or progressive invoice that a credit comes from.',
  fields: (t) => ({
    svcItemId: t.expose('itemId', {
      type: 'UUID',
      description: 'Identifier of the coupon, credit note or invoice.',
    }),
    type: t.expose('itemType', {
      type: enumRef('CreditItemType'),
      description: 'Whether it is a coupon, a credit note or a progressive invoice.',
    }),
    code: t.exposeString('itemCode', { description: 'Coupon code, credit note number or invoice number.' }),
    name: t.exposeString('itemName', { description: 'Name printed on documents.' }),
  }),
});

defineNode('Credit', {
  resource: 'invoice',
  omit: Object.keys(ITEM),
  fields: (t) => ({
    item: t.field({
      type: CreditItem,
      description: 'What the credit comes from.',
      extensions: SAME_ROW,
      select: ITEM,
      resolve: (credit) => credit,
    }),
  }),
});

defineNode('CreditNoteItem', { resource: 'credit_note', omit: ['creditNote', 'creditNoteId'] });

defineNode('CreditNote', {
  sums: {
    currency: 'currency',
    columns: [
      'totalAmountCents',
      'creditAmountCents',
      'balanceAmountCents',
      'refundAmountCents',
      'offsetAmountCents',
      'taxesAmountCents',
    ],
  },
  filter: creditNoteFilter,
  resource: 'credit_note',
  fields: (t) => ({
    invoiceNumber: t.string({
      description: 'Number of the invoice it is issued on.',
      extensions: firstOf(['invoice.number']),
      select: { invoice: { select: { number: true } } },
      resolve: (note) => note.invoice.number,
    }),
    billingEntityCode: t.string({
      description: 'Code of the entity that issues it: that of its invoice.',
      extensions: firstOf(['invoice.billingEntity.code']),
      select: { invoice: { select: { billingEntity: { select: { code: true } } } } },
      resolve: (note) => note.invoice.billingEntity.code,
    }),
    selfBilled: t.boolean({
      description: 'Whether the customer issues it itself, as its invoice.',
      extensions: { ...derivesFrom('invoice').extensions, ...firstOf(['invoice.selfBilled']) },
      select: { invoice: { select: { selfBilled: true } } },
      resolve: (note) => note.invoice.selfBilled,
    }),
    fileUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Address of the PDF document; null unless the note is final. It needs no key and expires. The document shows the customer and ' +
        'names of the fees: it is for keys that may read these too.',
      ...derivesFrom('customer', 'fee'),
      select: { status: true },
      resolve: ({ id, status }, _args, context) =>
        status === 'finalized' && !context.dryRun ? context.fileUrl('credit_notes', id) : null,
    }),
    items: t.relation('items', { query: { orderBy: OLDEST_FIRST } }),
    credits: t.relation('credits', { query: { orderBy: OLDEST_FIRST } }),
  }),
});

lookup('creditNote', 'CreditNote', {
  resource: 'credit_note',
  description: 'A credit note by the identifier that the service assigned.',
  args: builder.args((t) => ({
    svcId: t.field({ type: 'UUID', required: true, description: 'Identifier assigned by the service.' }),
    status: t.field({ type: enumRef('CreditNoteStatus'), description: 'The state it must be in; any without it.' }),
  })),
  query: ({ svcId, status }) => (isUuid(svcId) ? { id: svcId, ...(status && { status }) } : null),
  find: (context, plan, wanted) => {
    const where = wanted as { id: string; status?: string };
    return where.status
      ? findOne(context, 'CreditNote', plan, { where })
      : findById(context, 'CreditNote', plan, where as { id: string });
  },
});

listing('creditNotes', 'CreditNote', {
  resource: 'credit_note',
  description: 'Credit notes.',
  check: checkFilteredEntities,
});

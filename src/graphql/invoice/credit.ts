import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { SAME_ROW } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom } from '../base/guard.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
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

lookupById('creditNote', 'CreditNote', 'credit_note', 'A credit note by the identifier that the service assigned.');

listing('creditNotes', 'CreditNote', { resource: 'credit_note', description: 'Credit notes.' });

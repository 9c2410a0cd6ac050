import { answerWith } from '../../thread/answer.ts';
import type { InvoiceDocument } from '../invoice-document.ts';
import { renderInvoice } from './invoice.ts';

answerWith(
  async (document: InvoiceDocument) => {
    try {
      return new Uint8Array(await renderInvoice(document));
    } catch (error) {
      throw new Error('the document cannot be rendered', { cause: error });
    }
  },
  ({ buffer }) => [buffer],
);

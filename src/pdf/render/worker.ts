import { answerWith } from '../../thread/answer.ts';
import type { InvoiceDocument } from '../invoice-document.ts';
import { renderInvoice } from './invoice.ts';
import type { Rendered } from './renderer.ts';

answerWith(
  async (document: InvoiceDocument) => {
    try {
      const missing: string[] = [];
      const bytes = await renderInvoice(document, { onMissing: (signs) => missing.push(...signs) });
      return { bytes: new Uint8Array(bytes), missing } satisfies Rendered;
    } catch (error) {
      throw new Error('the document cannot be rendered', { cause: error });
    }
  },
  ({ bytes }) => [bytes.buffer],
);

import { answerWith } from '../../thread/answer.ts';
import { isCreditNote, type PrintedDocument } from '../credit-note-document.ts';
import { renderCreditNote } from './credit-note.ts';
import { renderInvoice } from './invoice.ts';
import type { Rendered } from './renderer.ts';

answerWith(
  async (document: PrintedDocument) => {
    try {
      const missing: string[] = [];
      const onMissing = (signs: readonly string[]) => missing.push(...signs);
      const bytes = isCreditNote(document)
        ? await renderCreditNote(document, { onMissing })
        : await renderInvoice(document, { onMissing });
      return { bytes: new Uint8Array(bytes), missing } satisfies Rendered;
    } catch (error) {
      throw new Error('the document cannot be rendered', { cause: error });
    }
  },
  ({ bytes }) => [bytes.buffer],
);

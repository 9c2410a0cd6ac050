import { parentPort } from 'node:worker_threads';
import type { InvoiceDocument } from '../invoice-document.ts';
import { renderInvoice } from './invoice.ts';

/** What a thread answers to one document. */
export type Rendered = { readonly bytes: Uint8Array } | { readonly fault: string };

parentPort?.on('message', async (document: InvoiceDocument) => {
  try {
    const bytes = new Uint8Array(await renderInvoice(document));
    parentPort?.postMessage({ bytes } satisfies Rendered, [bytes.buffer]);
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ fault } satisfies Rendered);
  }
});

import type { Logger } from 'pino';
import { explainInvoice } from './engine/explain/explain-invoice.ts';
import { FileAddresses } from './http/file/address.ts';
import { downloadPage } from './http/file/download.ts';
import { imageFetch } from './http/file/image-fetch.ts';
import type { FileContent } from './http/file/response.ts';
import { explanationPage } from './http/page/explanation-page.ts';
import { Renderer } from './pdf/render/renderer.ts';
import { readSigningSecret } from './store/access/signing-secret.ts';
import type { Database } from './store/database/database.ts';
import { forOrganization } from './store/database/tenant.ts';
import { readCreditNoteDocument } from './store/document/credit-note-document.ts';
import { readInvoiceDocument } from './store/document/invoice-document.ts';
import type { PrismaClient } from './store/generated/prisma/client.ts';

/** How documents are addressed and rendered. */
export interface DocumentOptions {
  /** Where clients reach the gateway; by default where the request of the moment reached it. */
  readonly publicUrl?: string | undefined;
  /** What addresses of documents are signed with; by default a secret that is kept in the database. */
  readonly signingSecret?: string | undefined;
  /** Milliseconds for which the address of a document answers; an hour by default. */
  readonly fileUrlLifetime?: number;
  /** Hosts that logos are fetched from; none by default. */
  readonly logoHosts?: readonly string[];
}

interface Common {
  readonly db: Database;
  readonly logger: Logger;
  readonly isUnavailable: (cause: unknown) => boolean;
}

const READERS = { invoices: readInvoiceDocument, credit_notes: readCreditNoteDocument } as const;

/** The page that explains an invoice; null where there is none. */
async function explanationOf(
  prisma: PrismaClient,
  organizationId: string,
  id: string,
  now: Date,
): Promise<FileContent | null> {
  const actor = { organizationId, now, job: 'explain' };
  const found = await explainInvoice(forOrganization(prisma, organizationId), actor, id);
  if (!found) return null;
  const { text, policy } = explanationPage(found);
  const name = `${found.number}.html`;
  return { name, type: 'text/html; charset=utf-8', bytes: Buffer.from(text), policy };
}

/** Addresses of documents, and the page that answers them. */
export function documentsOf(
  options: DocumentOptions & Common,
  now: () => Date,
  spend: (organizationId: string) => Promise<number | undefined>,
) {
  const { prisma } = options.db;
  const addresses = new FileAddresses({
    secret: async () => options.signingSecret ?? readSigningSecret(prisma, 'file_address'),
    lifetime: options.fileUrlLifetime ?? 3_600_000,
    publicUrl: options.publicUrl,
    now,
  });
  const renderer = new Renderer({
    images: { hosts: new Set(options.logoHosts), fetch: imageFetch() },
    onMissing: (number, signs) => options.logger.warn({ number, signs }, 'no font has some signs of a document'),
  });
  const page = downloadPage({
    addresses,
    spend,
    async file({ organizationId, kind, id }) {
      if (kind === 'explanations') return explanationOf(prisma, organizationId, id, now());
      const printed = await READERS[kind](forOrganization(prisma, organizationId), id);
      const type = 'application/pdf';
      return printed && { name: `${printed.number}.pdf`, type, bytes: await renderer.render(printed) };
    },
    isUnavailable: options.isUnavailable,
    logger: options.logger,
  });
  return { addresses, page, close: () => renderer.close() };
}

import { createHash } from 'node:crypto';
import { type Images, type Logo, loadLogo } from '../image/logo.ts';
import type { InvoiceDocument } from '../invoice-document.ts';
import { RenderThread } from './thread.ts';

export type RendererOptions = {
  readonly images?: Images | undefined;
  /** Documents that are rendered at once, each in a thread of its own. */
  readonly atOnce?: number;
  /** Documents that may wait for a thread. */
  readonly mostWaiting?: number;
};

/** More documents are waiting than there is room for; asking again later helps. */
export class RendererBusyError extends Error {
  override readonly name = 'RendererBusyError';
}

type Waiting = { take(thread: RenderThread): void; refuse(error: Error): void };

type Kept = { readonly bytes: Promise<Uint8Array>; readonly until: number; size: number };

// Readers of PDF ask for one document in many ranges, so what was just rendered is kept for a moment.
const KEPT_MS = 60_000;
const KEPT_BYTES = 32 * 1024 ** 2;
// At two megabytes each at most.
const KEPT_LOGOS = 16;

const digestOf = (document: InvoiceDocument) =>
  createHash('sha256')
    .update(JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)))
    .digest('base64');

/**
 * Renders invoices beside the thread that answers requests: a few at once, the others in their order. A document that is
 * asked for again, while it is rendered or within a minute, is not rendered twice.
 */
export class Renderer {
  private readonly free: RenderThread[];
  private readonly threads: readonly RenderThread[];
  private readonly waiting: Waiting[] = [];
  private readonly kept = new Map<string, Kept>();
  private readonly logos = new Map<string, { readonly logo: Promise<Logo | null>; readonly until: number }>();
  private readonly mostWaiting: number;
  private readonly images: Images | undefined;

  constructor({ images, atOnce = 2, mostWaiting = 50 }: RendererOptions = {}) {
    this.threads = Array.from({ length: atOnce }, () => new RenderThread());
    this.free = [...this.threads];
    this.images = images;
    this.mostWaiting = mostWaiting;
  }

  /** The same bytes as `renderInvoice`. Throws RendererBusyError when too many documents are waiting. */
  async render(invoice: InvoiceDocument): Promise<Uint8Array> {
    const document = await this.withLogo(invoice);
    const digest = digestOf(document);
    const known = this.kept.get(digest);
    if (known && known.until > performance.now()) return known.bytes;
    const entry: Kept = { bytes: this.renderNext(document), until: performance.now() + KEPT_MS, size: 0 };
    this.kept.delete(digest);
    this.kept.set(digest, entry);
    try {
      const bytes = await entry.bytes;
      entry.size = bytes.length;
      this.dropOldest();
      return bytes;
    } catch (error) {
      this.kept.delete(digest);
      throw error;
    }
  }

  /** Ends the threads; what they were rendering fails, and what was waiting for them. */
  async close(): Promise<void> {
    for (const { refuse } of this.waiting.splice(0)) refuse(new RendererBusyError('the renderer is closed'));
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private async renderNext(document: InvoiceDocument): Promise<Uint8Array> {
    const thread = await this.acquire();
    try {
      return await thread.render(document);
    } finally {
      const next = this.waiting.shift();
      if (next) next.take(thread);
      else this.free.push(thread);
    }
  }

  private acquire(): RenderThread | Promise<RenderThread> {
    const thread = this.free.pop();
    if (thread) return thread;
    if (this.waiting.length >= this.mostWaiting) throw new RendererBusyError('too many documents are being rendered');
    return new Promise((take, refuse) => this.waiting.push({ take, refuse }));
  }

  // Logos are fetched here and handed on within the document: a thread reaches no network, and the digest covers them.
  private async withLogo(invoice: InvoiceDocument): Promise<InvoiceDocument> {
    const side = invoice.selfBilled ? 'customer' : 'billingEntity';
    const { logoUrl } = invoice[side];
    if (!logoUrl || logoUrl.startsWith('data:')) return invoice;
    const logo = await this.logoAt(logoUrl);
    const type = logo?.bytes[0] === 0x89 ? 'png' : 'jpeg';
    const inlined = logo && `data:image/${type};base64,${logo.bytes.toString('base64')}`;
    return { ...invoice, [side]: { ...invoice[side], logoUrl: inlined } };
  }

  private logoAt(address: string): Promise<Logo | null> {
    const known = this.logos.get(address);
    if (known && known.until > performance.now()) return known.logo;
    const logo = loadLogo(address, this.images);
    if (this.logos.size >= KEPT_LOGOS) this.logos.clear();
    this.logos.set(address, { logo, until: performance.now() + KEPT_MS });
    return logo;
  }

  private dropOldest(): void {
    let size = 0;
    for (const [digest, entry] of [...this.kept].reverse()) {
      size += entry.size;
      if (size > KEPT_BYTES || entry.until <= performance.now()) this.kept.delete(digest);
    }
  }
}

import { createHash } from 'node:crypto';
import { ThreadPool } from '../../thread/pool.ts';
import type { PrintedDocument } from '../credit-note-document.ts';
import { type Images, type Logo, loadLogo } from '../image/logo.ts';

export type RendererOptions = {
  readonly images?: Images | undefined;
  /** Documents that are rendered at once, each in a thread of its own. */
  readonly atOnce?: number;
  /** Documents that may wait for a thread. */
  readonly mostWaiting?: number;
  /** Called for a document that has letters or signs which no font has, with some of them. */
  readonly onMissing?: ((number: string, signs: string) => void) | undefined;
};

/** What a thread makes of a document. */
export type Rendered = { readonly bytes: Uint8Array<ArrayBuffer>; readonly missing: readonly string[] };

type Kept = { readonly bytes: Promise<Uint8Array>; readonly until: number; size: number };

// Readers of PDF ask for one document in many ranges, so what was just rendered is kept for a moment.
const KEPT_MS = 60_000;
const KEPT_BYTES = 32 * 1024 ** 2;
// At two megabytes each at most.
const KEPT_LOGOS = 16;

const MOST_TOLD = 20;

const LONGEST = 25_000;
const MEMORY = 512;

const digestOf = (document: PrintedDocument) =>
  createHash('sha256')
    .update(JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)))
    .digest('base64');

/**
 * Renders documents beside the thread that answers requests: a few at once, the others in their order. A document that is
 * asked for again, while it is rendered or within a minute, is not rendered twice.
 */
export class Renderer {
  private readonly pool: ThreadPool<PrintedDocument, Rendered>;
  private readonly kept = new Map<string, Kept>();
  private readonly logos = new Map<string, { readonly logo: Promise<Logo | null>; readonly until: number }>();
  private readonly images: Images | undefined;
  private readonly onMissing: RendererOptions['onMissing'];

  constructor({ images, atOnce = 2, mostWaiting = 50, onMissing }: RendererOptions = {}) {
    const file = new URL('./worker.ts', import.meta.url);
    this.pool = new ThreadPool({ file, memory: MEMORY, atOnce, mostWaiting, longest: LONGEST });
    this.images = images;
    this.onMissing = onMissing;
  }

  /** The same bytes as `renderInvoice` or `renderCreditNote`. Throws PoolBusyError when too many documents are waiting. */
  async render(printed: PrintedDocument): Promise<Uint8Array> {
    const document = await this.withLogo(printed);
    const digest = digestOf(document);
    const known = this.kept.get(digest);
    if (known && known.until > performance.now()) return known.bytes;
    const entry: Kept = { bytes: this.bytesOf(document), until: performance.now() + KEPT_MS, size: 0 };
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
  close(): Promise<void> {
    return this.pool.close();
  }

  private async bytesOf(document: PrintedDocument): Promise<Uint8Array> {
    const { bytes, missing } = await this.pool.run(document);
    if (missing.length > 0) this.onMissing?.(document.number, missing.slice(0, MOST_TOLD).join(' '));
    return bytes;
  }

  // Logos are fetched here and handed on within the document: a thread reaches no network, and the digest covers them.
  private async withLogo(printed: PrintedDocument): Promise<PrintedDocument> {
    const side = printed.selfBilled ? 'customer' : 'billingEntity';
    const { logoUrl } = printed[side];
    if (!logoUrl || logoUrl.startsWith('data:')) return printed;
    const logo = await this.logoAt(logoUrl);
    const type = logo?.bytes[0] === 0x89 ? 'png' : 'jpeg';
    const inlined = logo && `data:image/${type};base64,${logo.bytes.toString('base64')}`;
    return { ...printed, [side]: { ...printed[side], logoUrl: inlined } };
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Target } from '../wire/target.ts';

export interface FileAddressOptions {
  /** The secret that every process on the same data has. */
  readonly secret: () => Promise<string>;
  /** Milliseconds for which an address answers. */
  readonly lifetime: number;
  /** Where clients reach the gateway; the origin of their own request where the operator names none. */
  readonly publicUrl?: string | undefined;
  readonly now: () => Date;
}

/** Whose file an address names. */
export interface FileName {
  readonly organizationId: string;
  readonly invoiceId: string;
}

export type Refusal = 'signature_invalid' | 'signature_expired';

const PATH = /^\/files\/invoices\/([^/]+)\.pdf$/;
const MOMENT = /^\d{1,12}$/;

/** Whether a path is one of a file, whoever signed it. */
export const isFilePath = (path: string) => PATH.test(path);

const mac = (secret: string, { organizationId, invoiceId }: FileName, expires: string) =>
  createHmac('sha256', secret)
    .update(['invoice file', organizationId, invoiceId, expires].join('\n'))
    .digest('base64url');

// The texts are compared, not the bytes they stand for: several texts of base64url mean the same bytes.
function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Addresses of invoice documents that need no key: HMAC-SHA256 over the organization, the invoice and the second of
 * expiry. Nothing of them is stored, so any process that has the secret answers any of them.
 */
export class FileAddresses {
  private secret: Promise<string> | undefined;

  constructor(private readonly options: FileAddressOptions) {}

  /** The address of an invoice's document, for as long as the lifetime from now. */
  async addressOf(name: FileName, origin: string): Promise<string> {
    const { publicUrl, lifetime, now } = this.options;
    const expires = String(Math.ceil((now().getTime() + lifetime) / 1000));
    const signature = mac(await this.readSecret(), name, expires);
    const query = new URLSearchParams({ organization: name.organizationId, expires, signature });
    return `${(publicUrl ?? origin).replace(/\/+$/, '')}/files/invoices/${name.invoiceId}.pdf?${query}`;
  }

  /** What an address names, when it is signed and has not expired. */
  async read({ path, query }: Target): Promise<FileName | Refusal> {
    const given = new URLSearchParams(query);
    const [organizationId, expires, signature] = ['organization', 'expires', 'signature'].map((key) => given.get(key));
    const invoiceId = PATH.exec(path)?.[1];
    if (!invoiceId || !organizationId || !expires || !signature || !MOMENT.test(expires)) return 'signature_invalid';
    const name = { organizationId, invoiceId };
    if (!isSame(mac(await this.readSecret(), name, expires), signature)) return 'signature_invalid';
    return Number(expires) * 1000 <= this.options.now().getTime() ? 'signature_expired' : name;
  }

  // Read once, when first needed; a failure is not remembered.
  private readSecret(): Promise<string> {
    this.secret ??= this.options.secret().catch((error: unknown) => {
      this.secret = undefined;
      throw error;
    });
    return this.secret;
  }
}

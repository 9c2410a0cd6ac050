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

/** Kinds of documents, as addresses name them. */
export type FileKind = 'invoices' | 'credit_notes' | 'explanations';

/** Whose file an address names, and of what. */
export interface FileName {
  readonly organizationId: string;
  readonly kind: FileKind;
  readonly id: string;
}

export type Refusal = 'signature_invalid' | 'signature_expired';

const PATH = /^\/files\/(?:(invoices|credit_notes)\/([^/]+)\.pdf|invoices\/([^/]+)\/explanation\.html)$/;
const MOMENT = /^\d{1,12}$/;

/** Whether a path is one of a file, whoever signed it. */
export const isFilePath = (path: string) => PATH.test(path);

// Signed with what it is of: the signature of an invoice opens no credit note.
const SIGNED: Readonly<Record<FileKind, string>> = {
  invoices: 'invoice file',
  credit_notes: 'credit note file',
  explanations: 'invoice explanation',
};

const pathOf = ({ kind, id }: FileName) =>
  kind === 'explanations' ? `invoices/${id}/explanation.html` : `${kind}/${id}.pdf`;

/** The kind and the identifier that a path names; empty where it names none. */
function placeIn(path: string): [kind: FileKind | undefined, id: string] {
  const [, kind, id, explained] = PATH.exec(path) ?? [];
  return explained ? ['explanations', explained] : [isKind(kind) ? kind : undefined, id ?? ''];
}

const isKind = (text: string | undefined): text is FileKind => text !== undefined && Object.hasOwn(SIGNED, text);

const mac = (secret: string, { organizationId, kind, id }: FileName, expires: string) =>
  createHmac('sha256', secret).update([SIGNED[kind], organizationId, id, expires].join('\n')).digest('base64url');

// The texts are compared, not the bytes they stand for: several texts of base64url mean the same bytes.
function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Addresses of documents that need no key: HMAC-SHA256 over the kind, the organization, the identifier and the second of
 * expiry. Nothing of them is stored, so any process that has the secret answers any of them.
 */
export class FileAddresses {
  private secret: Promise<string> | undefined;
  private known: string | undefined;

  constructor(private readonly options: FileAddressOptions) {}

  /** The address of a document, for as long as the lifetime from now. A page of a list has a hundred: none waits for what is known. */
  addressOf(name: FileName, origin: string): string | Promise<string> {
    const write = (secret: string) => this.addressBy(secret, name, origin);
    return this.known === undefined ? this.readSecret().then(write) : write(this.known);
  }

  private addressBy(secret: string, name: FileName, origin: string): string {
    const { publicUrl, lifetime, now } = this.options;
    const expires = String(Math.ceil((now().getTime() + lifetime) / 1000));
    // Identifiers, digits and letters of base64url: nothing is to be escaped.
    const query = `organization=${name.organizationId}&expires=${expires}&signature=${mac(secret, name, expires)}`;
    return `${(publicUrl ?? origin).replace(/\/+$/, '')}/files/${pathOf(name)}?${query}`;
  }

  /** What an address names, when it is signed and has not expired. */
  async read({ path, query }: Target): Promise<FileName | Refusal> {
    const given = new URLSearchParams(query);
    const [organizationId, expires, signature] = ['organization', 'expires', 'signature'].map((key) => given.get(key));
    const [kind, id] = placeIn(path);
    if (!kind || !id || !organizationId || !expires || !signature || !MOMENT.test(expires)) return 'signature_invalid';
    const name = { organizationId, kind, id };
    if (!isSame(mac(await this.readSecret(), name, expires), signature)) return 'signature_invalid';
    return Number(expires) * 1000 <= this.options.now().getTime() ? 'signature_expired' : name;
  }

  // Read once, when first needed; a failure is not remembered.
  private readSecret(): Promise<string> {
    this.secret ??= this.options.secret().then(
      (secret) => {
        this.known = secret;
        return secret;
      },
      (error: unknown) => {
        this.secret = undefined;
        throw error;
      },
    );
    return this.secret;
  }
}

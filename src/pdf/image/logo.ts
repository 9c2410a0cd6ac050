import { pngSize, type Size } from './png.ts';

/** How a logo that is not a `data:` address is had: only from these hosts, only over https, by the caller's own means. */
export type Images = {
  /** Host names as in an address: "cdn.example.com". */
  hosts: ReadonlySet<string>;
  /** Must not follow redirects to other hosts and must bound time and size. Null or an error: the logo is left out. */
  fetch(address: URL): Promise<Uint8Array | null>;
};

export type Logo = { bytes: Buffer; width: number; height: number };

const MOST_BYTES = 2 * 1024 * 1024;
/** 2000 by 2000: decoded, an image with an alpha channel takes eight bytes a pixel. */
const MOST_PIXELS = 4_000_000;
const DATA_ADDRESS = /^data:image\/(?:png|jpe?g);base64,([a-z0-9+/=\s]+)$/i;

/** A PNG or JPEG of bounded size, or null: a missing or broken logo never stops an invoice. */
export async function loadLogo(address: string | null | undefined, images: Images | undefined): Promise<Logo | null> {
  const bytes = address ? await readImage(address, images) : null;
  if (!bytes || bytes.length > MOST_BYTES) return null;
  const buffer = Buffer.from(bytes);
  const size = pngSize(buffer, MOST_PIXELS) ?? jpegSize(buffer);
  if (!size || size.width < 1 || size.height < 1) return null;
  return { bytes: buffer, ...size };
}

async function readImage(address: string, images: Images | undefined): Promise<Uint8Array | null> {
  if (address.startsWith('data:')) {
    const encoded = address.length <= 2 * MOST_BYTES ? DATA_ADDRESS.exec(address)?.[1] : undefined;
    return encoded ? Buffer.from(encoded, 'base64') : null;
  }
  if (!images || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.username || url.port || !images.hosts.has(url.hostname)) return null;
  try {
    return await images.fetch(url);
  } catch {
    return null;
  }
}

/** Width and height of the frame header (SOF0 to SOF15, less the three marks among them that are something else). */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const mark = bytes[at + 1] ?? 0;
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

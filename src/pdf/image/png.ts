import { inflateSync } from 'node:zlib';

export type Size = { width: number; height: number };

type Header = Size & { bitsPerPixel: number; interlaced: boolean };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Colour type to samples a pixel and the depths that the format allows. */
const COLOURS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** Adam7: first column and row, and the steps, of each pass. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const LAST_FILTER = 4;

/**
 * The size of a PNG that decodes from end to end, else null. The PDF library decodes later and out of reach of any
 * handler, where a broken image would end the process; so every chunk and every row is checked before.
 */
export function pngSize(bytes: Buffer, mostPixels: number): Size | null {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return null;
  const chunks = chunksOf(bytes);
  const header = chunks && headerOf(chunks);
  if (!header || header.width * header.height > mostPixels) return null;
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
  return rowsAreWhole(data, header) ? { width: header.width, height: header.height } : null;
}

type Chunk = { type: string; data: Buffer };

function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length) return null;
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
  return null;
}

function headerOf(chunks: readonly Chunk[]): Header | null {
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) return null;
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.data.subarray(8);
  const known = COLOURS[colour];
  if (!known?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return null;
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data.length ?? 0;
  if (colour === 3 && (palette === 0 || palette % 3 !== 0)) return null;
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  return { width, height, bitsPerPixel: depth * known.samples, interlaced: interlace === 1 };
}

function rowsAreWhole(data: Buffer, { width, height, bitsPerPixel, interlaced }: Header): boolean {
  const passes = interlaced
    ? PASSES.map(([x, y, stepX, stepY]) => [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)])
    : [[width, height]];
  const sizes = passes
    .filter(([columns = 0, rows = 0]) => columns > 0 && rows > 0)
    .map(([columns = 0, rows = 0]) => ({ rows, stride: 1 + Math.ceil((columns * bitsPerPixel) / 8) }));
  const needed = sizes.reduce((sum, { rows, stride }) => sum + rows * stride, 0);
  const pixels = inflated(data, needed);
  if (pixels?.length !== needed) return false;
  let at = 0;
  for (const { rows, stride } of sizes) {
    for (let row = 0; row < rows; row += 1, at += stride) {
      if ((pixels[at] ?? 0) > LAST_FILTER) return false;
    }
  }
  return true;
}

/** Null when the data is broken or more than the header announces. */
function inflated(data: Buffer, most: number): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(most, 1) });
  } catch {
    return null;
  }
}

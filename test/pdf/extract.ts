import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type Page = {
  /** The lines from top to bottom, each with its pieces in the order in which they are read. */
  lines: string[];
  /** The baseline of each line, in points above the lower edge. */
  baselines: number[];
  text: string;
};

export type Extracted = {
  pages: Page[];
  text: string;
  /** How many drawn glyphs are the font's "missing" glyph. */
  missing: number;
  fonts: number;
  images: number;
  info: { Title?: string; Language?: string; CreationDate?: string };
};

/** What a reader sees: the words, what was drawn without a glyph, and the document's own data. */
export async function extract(bytes: Uint8Array): Promise<Extracted> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  const result: Extracted = { pages: [], text: '', missing: 0, fonts: 0, images: 0, info: {} };
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const content = await page.getTextContent({ disableNormalization: true });
    result.pages.push(pageOf(content.items));
    const { fnArray, argsArray } = await page.getOperatorList();
    fnArray.forEach((operation, at) => {
      if (operation === OPS.showText) result.missing += missingGlyphs(argsArray[at]?.[0]);
      if (operation === OPS.setFont) result.fonts += 1;
      if (operation === OPS.paintImageXObject) result.images += 1;
    });
  }
  result.text = result.pages.map(({ text }) => text).join('\n');
  result.info = (await document.getMetadata()).info as Extracted['info'];
  await task.destroy();
  return result;
}

type Item = { str: string; transform: number[]; width: number };

const isItem = (item: unknown): item is Item => typeof item === 'object' && item !== null && 'str' in item;
const leftOf = ({ transform }: Item) => transform[4] ?? 0;

function pageOf(items: readonly unknown[]): Page {
  const rows = new Map<number, Item[]>();
  for (const item of items.filter(isItem)) {
    const y = Math.round(item.transform[5] ?? 0);
    if (item.str !== '') rows.set(y, [...(rows.get(y) ?? []), item]);
  }
  const lines = [...rows.entries()]
    .sort(([a], [b]) => b - a)
    .map(([y, row]) => [y, joined(row)] as const)
    .filter(([, line]) => line !== '');
  const texts = lines.map(([, line]) => line);
  return { lines: texts, baselines: lines.map(([y]) => y), text: texts.join('\n') };
}

/** Pieces that touch, on either side, are one text in several fonts; the others are columns. */
function joined(row: readonly Item[]): string {
  let text = '';
  let [start, end] = [0, 0];
  for (const item of row) {
    const [left, right] = [leftOf(item), leftOf(item) + item.width];
    const touches = left <= end + 1 && right >= start - 1;
    text += touches ? item.str : ` ${item.str}`;
    [start, end] = touches ? [Math.min(start, left), Math.max(end, right)] : [left, right];
  }
  return text.replace(/ +/g, ' ').trim();
}

/** The first glyph of every font program is the one for characters that it does not have. */
function missingGlyphs(glyphs: unknown): number {
  if (!Array.isArray(glyphs)) return 0;
  return glyphs.filter((glyph) => typeof glyph === 'object' && glyph?.originalCharCode === 0).length;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';
export type Cjk = 'jp' | 'kr' | 'sc' | 'tc';
type Family = Cjk | 'latin' | 'arabic' | 'hebrew' | 'thai' | 'wide' | 'emoji';

/** One font file, open for one document. */
export type Face = { key: string; font: Font };

type Source = { package: string; files: Record<Weight, string> };

const noto = (script: string, folder: string, name: string, type = 'ttf', bold = 'Bold'): Source => ({
  package: `${folder}fonts-${script}`,
  files: { regular: `fonts/${name}-Regular.${type}`, bold: `fonts/${name}-${bold}.${type}` },
});

const SOURCES: Record<Family, Source> = {
  latin: noto('latin', '@embedpdf/', 'NotoSans', 'ttf', 'SemiBold'),
  arabic: noto('arabic', '@embedpdf/', 'NotoNaskhArabic'),
  hebrew: noto('hebrew', '@embedpdf/', 'NotoSansHebrew'),
  jp: noto('jp', '@embedpdf/', 'NotoSansJP', 'otf'),
  kr: noto('kr', '@embedpdf/', 'NotoSansKR', 'otf'),
  sc: noto('sc', '@embedpdf/', 'NotoSansHans', 'otf'),
  tc: noto('tc', '@embedpdf/', 'NotoSansHant', 'otf'),
  thai: {
    package: '@expo-google-fonts/noto-sans-thai',
    files: {
      regular: '400Regular/NotoSansThai_400Regular.ttf',
      bold: '600SemiBold/NotoSansThai_600SemiBold.ttf',
    },
  },
  /** Armenian, Georgian, symbols and whatever else the others lack. */
  wide: { package: 'dejavu-fonts-ttf', files: { regular: 'ttf/DejaVuSans.ttf', bold: 'ttf/DejaVuSans-Bold.ttf' } },
  emoji: {
    package: '@expo-google-fonts/noto-emoji',
    files: { regular: '400Regular/NotoEmoji_400Regular.ttf', bold: '600SemiBold/NotoEmoji_600SemiBold.ttf' },
  },
};

/** Family by script; the order inside a family list is the order of preference. */
const SCRIPTS: readonly [RegExp, readonly Family[]][] = [
  [/[\u0590-\u05ff\ufb1d-\ufb4f]/u, ['hebrew', 'wide']],
  [/[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/u, ['arabic', 'wide']],
  [/[\u0e00-\u0e7f]/u, ['thai']],
];
const CJK =
  /[\u1100-\u11ff\u2e80-\u2fff\u3000-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;

/** Bytes of the font files: read once a process, the large ones only when a document has such characters. */
const files = new Map<string, Uint8Array>();
const require = createRequire(import.meta.url);

function fontBytes(family: Family, weight: Weight): Uint8Array {
  const source = SOURCES[family];
  const path = join(packageFolder(source.package), source.files[weight]);
  const known = files.get(path);
  if (known) return known;
  const bytes = readFileSync(path);
  files.set(path, bytes);
  return bytes;
}

/** The packages export their code but not their fonts, so that the folder is looked for where Node looks for packages. */
function packageFolder(name: string): string {
  const folder = require.resolve
    .paths(name)
    ?.map((base) => join(base, name))
    .find(isPackage);
  if (!folder) throw new Error(`the font package ${name} is not installed`);
  return folder;
}

function isPackage(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'package.json')).length > 0;
  } catch {
    return false;
  }
}

/**
 * The fonts of one document. A font object is never shared by documents: it remembers which characters a glyph stood
 * for when it was first used, and the text of the next document could then not be copied out or be other bytes.
 */
export class FontBook {
  private readonly faces = new Map<string, Face>();
  private readonly covered = new Map<string, boolean>();
  private readonly cjkOrder: readonly Cjk[];

  constructor(cjkOrder: readonly Cjk[]) {
    this.cjkOrder = cjkOrder;
  }

  face(family: Family, weight: Weight): Face {
    const key = `${family}-${weight}`;
    const known = this.faces.get(key);
    if (known) return known;
    const font = create(fontBytes(family, weight) as Buffer);
    if (!('layout' in font)) throw new Error(`${key} is a collection, not a font`);
    const face = { key, font };
    this.faces.set(key, face);
    return face;
  }

  has(family: Family, weight: Weight, text: string): boolean {
    const key = `${family}-${weight}-${text}`;
    let covered = this.covered.get(key);
    if (covered === undefined) {
      const { font } = this.face(family, weight);
      covered = [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
      this.covered.set(key, covered);
    }
    return covered;
  }

  /** The first face that has every character of `cluster` (a letter with its marks), or null. */
  faceFor(cluster: string, weight: Weight, cjk: readonly Cjk[]): Face | null {
    const script = SCRIPTS.find(([characters]) => characters.test(cluster));
    const families: readonly Family[] = CJK.test(cluster)
      ? [...cjk, 'latin', 'wide']
      : [...(script?.[1] ?? []), 'latin', 'wide', 'emoji', ...(mayBeCjk(cluster) ? cjk : [])];
    const family = families.find((each) => this.has(each, weight, cluster));
    return family ? this.face(family, weight) : null;
  }

  /** The order in which the CJK fonts are tried for one text: the first that has all of it, so that it looks of one piece. */
  cjkFor(text: string): readonly Cjk[] {
    if (!CJK.test(text)) return this.cjkOrder;
    const order = /[\u3040-\u30ff]/.test(text)
      ? first('jp', this.cjkOrder)
      : /[\u1100-\u11ff\uac00-\ud7ff]/.test(text)
        ? first('kr', this.cjkOrder)
        : this.cjkOrder;
    const signs = [...new Set(text)].filter((sign) => CJK.test(sign)).join('');
    const whole = order.find((family) => this.has(family, 'regular', signs));
    return whole ? first(whole, order) : order;
  }

  /** Whether the fonts have every sign of a text that takes room. */
  canPrint(text: string): boolean {
    return this.missingIn(text).length === 0;
  }

  /** The signs of a text that take room and that no font has. */
  missingIn(text: string): string[] {
    const signs = [...text.normalize('NFC')].filter((sign) => !/[\p{M}\p{C}\p{Z}]/u.test(sign));
    return signs.filter((character) => this.faceFor(character, 'regular', this.cjkOrder) === null);
  }
}

const first = (family: Cjk, order: readonly Cjk[]): readonly Cjk[] => [
  family,
  ...order.filter((each) => each !== family),
];

/** Signs such as circled numbers live in the CJK fonts too; opening those for every odd character would cost megabytes. */
const mayBeCjk = (cluster: string) => (cluster.codePointAt(0) ?? 0) >= 0x2000;

const CJK_OF_COUNTRY: Record<string, Cjk> = { JP: 'jp', KR: 'kr', CN: 'sc', SG: 'sc', TW: 'tc', HK: 'tc', MO: 'tc' };

/** Han characters have no language of their own: that of the document decides, then the parties' countries. */
export function cjkOrderOf(locale: string, ...countries: (string | null | undefined)[]): readonly Cjk[] {
  const wanted = countries.map((country) => CJK_OF_COUNTRY[country ?? '']);
  // Korean is known by its own letters: Han characters beside it are those of the other party.
  const ofOthers = wanted.filter((family) => family !== 'kr');
  const all = [locale === 'zh-TW' ? 'tc' : undefined, ...ofOthers, ...wanted, 'jp', 'tc', 'sc', 'kr'] as const;
  return [...new Set(all.filter((family) => family !== undefined))];
}

import { encode } from 'uqr';
import type { Sheet } from '../sheet.ts';

/** Side of a code in points, some 32 mm: the 69 modules of the largest are half a millimetre each. */
export const CODE_SIDE = 92;
/** Modules around a code that stay white, as its standard says. */
const QUIET = 4;
/** The largest that the guideline of payment codes allows. */
const MOST_VERSION = 13;

/** A text as a QR code that survives the loss of 15%, with what it shows for who hears the document. */
export function drawCode(sheet: Sheet, text: string, alt: string, x: number, y: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET, boostEcc: false, maxVersion: MOST_VERSION });
  sheet.shape(pathOf(data), size, alt, { x, y, width: CODE_SIDE, height: CODE_SIDE });
}

/** Dark modules as rectangles, those beside each other in one: edges between them would show as hair lines. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  const row = (dark: readonly boolean[], y: number) =>
    [
      ...dark
        .map((is) => (is ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
  return modules.flatMap(row).join('');
}

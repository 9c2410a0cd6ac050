import type { TextStyle } from './text/text-layout.ts';

const INK = '#16191f';
const MUTED = '#667085';

/** The whole typography: sizes and leadings in points. */
export const STYLES = {
  title: { size: 22, weight: 'bold', color: INK, leading: 28 },
  name: { size: 14, weight: 'bold', color: INK, leading: 19 },
  heading: { size: 10, weight: 'bold', color: INK, leading: 14 },
  strong: { size: 9, weight: 'bold', color: INK, leading: 13 },
  total: { size: 11, weight: 'bold', color: INK, leading: 15 },
  paid: { size: 11, weight: 'bold', color: '#067647', leading: 16 },
  body: { size: 9, weight: 'regular', color: INK, leading: 13 },
  label: { size: 8, weight: 'regular', color: MUTED, leading: 12 },
  detail: { size: 8, weight: 'regular', color: MUTED, leading: 11.5 },
  link: { size: 9, weight: 'regular', color: '#175cd3', leading: 13 },
} as const satisfies Record<string, TextStyle>;

/** A4 in points, y downwards. The band below `bottom` belongs to the page number. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 48, bottom: 794 } as const;

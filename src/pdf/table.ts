import type { Format } from './format.ts';
import type { Labels } from './labels/word.ts';
import type { LineGroup } from './lines.ts';
import { PAGE, STYLES } from './page.ts';
import type { Row } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Part } from './structure.ts';
import type { TextStyle } from './text/text-layout.ts';

/** `heads` are those of the columns of figures. */
type Context = { sheet: Sheet; labels: Labels; format: Format; heads: readonly string[] };

/** The rows of one subscription, below its name and periods. */
export type RowGroup = { group: Pick<LineGroup, 'subscription' | 'periods'>; rows: readonly Row[] };

type Columns = { name: number; widths: readonly number[] };

const GAP = 16;
const PADDING = 5;
const END = 10;
/** The most that a row may ask for: a page with the heads of the columns. */
const MOST_ROOM = PAGE.bottom - PAGE.top - 40;
const LEAST_NAME = 170;
const TD: ['TD'] = ['TD'];

/**
 * All lines of a document, by subscription; the heads of the columns are repeated on every page. `below` points follow them
 * that do not stand on a page without a line.
 */
export function drawTable(set: readonly RowGroup[], below: number, context: Context): void {
  const { sheet, labels } = context;
  const last = set.at(-1)?.rows.at(-1);
  if (last) last.keep = END + below;
  const columns = columnsOf(
    set.flatMap(({ rows }) => rows),
    context,
  );
  sheet.ensure(80);
  sheet.structure.within('Table', () => {
    drawColumnHeads(columns, context);
    set.forEach(({ group, rows }, at) => {
      if (set.length > 1 || group.subscription) drawGroupHead(group, rows[0], at, columns, context);
      for (const row of rows) drawRow(row, group.subscription?.name ?? '', columns, context);
    });
  });
  if (set.length === 0) sheet.flow(labels.noLines, STYLES.detail, PAGE.left, 300);
  sheet.y += END;
}

/** Figures get the width that the widest of them needs; if that leaves too little for the names, the widest give way. */
function columnsOf(rows: readonly Row[], { sheet, heads }: Context): Columns {
  const natural = heads.map((head, at) => {
    const lines = rows.flatMap(({ figures, steps }) => [figures, ...steps.map((step) => step.figures)]);
    const widths = lines.map((figures) => sheet.layout.line(figures[at] ?? '', STYLES.body).width);
    return Math.max(sheet.layout.line(head, STYLES.label).width, ...widths) + GAP;
  });
  const widths = capped(natural, PAGE.right - PAGE.left - LEAST_NAME);
  return { name: PAGE.right - PAGE.left - widths.reduce((sum, width) => sum + width, 0), widths };
}

/** Widths that add up to at most `most`: the narrow ones as they are, what is left shared by the wide ones. */
function capped(natural: readonly number[], most: number): number[] {
  let left = most;
  let others = natural.length;
  let cap = Number.POSITIVE_INFINITY;
  for (const width of [...natural].sort((a, b) => a - b)) {
    if (width * others > left) {
      cap = left / others;
      break;
    }
    left -= width;
    others -= 1;
  }
  return natural.map((width) => Math.min(width, cap));
}

function drawFigures(
  figures: readonly string[],
  style: TextStyle,
  columns: Columns,
  sheet: Sheet,
  cells: readonly Part[],
): void {
  let right = PAGE.left + columns.name;
  figures.forEach((figure, at) => {
    const width = columns.widths[at] ?? 0;
    right += width;
    if (!figure) return;
    const end = right;
    sheet.structure.into(cells[at + 1], () => sheet.drawFitted(figure, style, end, sheet.y, width - GAP / 2, 'right'));
  });
}

function drawColumnHeads(columns: Columns, { sheet, labels, heads }: Context): void {
  const style = STYLES.label;
  const head: ['TH', { scope: 'Column' }] = ['TH', { scope: 'Column' }];
  const cells = sheet.structure.row(head, ...heads.map(() => head));
  sheet.structure.into(cells[0], () => sheet.draw(sheet.layout.line(labels.item, style), style, PAGE.left, sheet.y));
  drawFigures(heads, style, columns, sheet, cells);
  sheet.y += style.leading + 4;
  sheet.rule(sheet.y, PAGE.left, '#98a2b3', 0.8);
  sheet.y += 4;
}

/** On a new page the heads come again, and the name of the subscription whose lines go on. */
function ensureRow(height: number, columns: Columns, context: Context, groupName = ''): void {
  const { sheet } = context;
  if (!sheet.ensure(height)) return;
  sheet.structure.ornament(() => {
    drawColumnHeads(columns, context);
    const [line] = groupName ? sheet.layout.lines(groupName, STYLES.detail, PAGE.right - PAGE.left) : [];
    if (!line) return;
    sheet.draw(line, STYLES.detail, PAGE.left, sheet.y + 2);
    sheet.y += STYLES.detail.leading + 2;
  });
}

function drawGroupHead(
  group: RowGroup['group'],
  next: Row | undefined,
  at: number,
  columns: Columns,
  context: Context,
): void {
  const { sheet, labels, format, heads } = context;
  const name = group.subscription?.name || labels.otherItems;
  const lines = sheet.layout.lines(name, STYLES.heading, PAGE.right - PAGE.left);
  const periods = new Set(
    group.periods.flatMap(({ fromDate, toDate }) => (fromDate && toDate ? [format.period(fromDate, toDate)] : [])),
  );
  const above = at === 0 ? 4 : 12;
  const height = above + lines.length * STYLES.heading.leading + periods.size * STYLES.detail.leading + 4;
  ensureRow(height + (next ? roomFor(next, rowHeight(next, columns, sheet), 120) : 0), columns, context);
  sheet.y += above;
  const [cell] = sheet.structure.row(['TH', { across: heads.length + 1 }]);
  for (const line of lines) {
    ensureRow(STYLES.heading.leading, columns, context);
    sheet.structure.into(cell, () => sheet.draw(line, STYLES.heading, PAGE.left, sheet.y));
    sheet.y += STYLES.heading.leading;
  }
  sheet.structure.into(cell, () => {
    for (const period of periods) sheet.flow(period, STYLES.detail, PAGE.left, PAGE.right - PAGE.left);
  });
  sheet.y += 3;
}

type Figures = readonly string[];

function textLines(row: Row, columns: Columns, sheet: Sheet) {
  const width = columns.name - 8;
  const names = sheet.layout.lines(row.name, STYLES.body, width);
  const none: Figures = [];
  const details = row.details.map((label) => ({ label, figures: none }));
  const below = [...details, ...row.steps].flatMap(({ label, figures }) =>
    sheet.layout
      .lines(label, STYLES.detail, width)
      .map((line, at) => ({ line, style: STYLES.detail, figures: at === 0 ? figures : none })),
  );
  return [...names.map((line, at) => ({ line, style: STYLES.body, figures: at === 0 ? row.figures : none })), ...below];
}

function rowHeight(row: Row, columns: Columns, sheet: Sheet): number {
  return textLines(row, columns, sheet).reduce((sum, { style }) => sum + style.leading, 2 * PADDING);
}

/** What a row of this height asks for: what it keeps with it counts where a page has room for both. */
function roomFor({ keep }: Row, height: number, most: number): number {
  return keep > 0 && height + keep <= MOST_ROOM ? height + keep : Math.min(height, most);
}

/** A row stays together when it fits on a page; one that is longer than a page flows on. */
function drawRow(row: Row, groupName: string, columns: Columns, context: Context): void {
  const { sheet, heads } = context;
  const lines = textLines(row, columns, sheet);
  const height = lines.reduce((sum, { style }) => sum + style.leading, 2 * PADDING);
  ensureRow(roomFor(row, height, MOST_ROOM), columns, context, groupName);
  sheet.y += PADDING;
  let cells: readonly Part[] = [];
  lines.forEach(({ line, style, figures }) => {
    ensureRow(style.leading, columns, context, groupName);
    // A step of the calculation is a row of its own for who hears it.
    if (figures.length > 0) cells = sheet.structure.row(['TH', { scope: 'Row' }], ...heads.map(() => TD));
    sheet.structure.into(cells[0], () => sheet.draw(line, style, PAGE.left, sheet.y));
    drawFigures(figures, style, columns, sheet, cells);
    sheet.y += style.leading;
  });
  sheet.y += PADDING;
  sheet.rule(sheet.y);
}

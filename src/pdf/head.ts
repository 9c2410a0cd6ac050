import type { Opened } from './opening.ts';
import { PAGE, STYLES } from './page.ts';
import { drawParties, type Recipient } from './parties.ts';
import type { Sheet } from './sheet.ts';
import { cleanText } from './text/text-layout.ts';

type Cell = readonly [label: string, text: string];

export type Head = Recipient & {
  /** A word below the title, such as that all is paid. */
  mark?: string | undefined;
  /** What the number is of. */
  numberLabel: string;
  /** Dates and amounts beside the number. */
  cells: readonly Cell[];
};

const LOGO = { width: 170, height: 52 };

/** Logo or name, title, the band with number and dates, and both parties. */
export function drawHead(opened: Opened, head: Head): void {
  drawTitle(opened, head);
  drawBand(opened, head);
  drawParties(opened, head);
}

function drawTitle({ sheet, word, issuer, logo }: Opened, { mark }: Head): void {
  const top = sheet.y;
  const titleLines = sheet.layout.lines(word, STYLES.title, 240);
  sheet.structure.within('H1', () => {
    titleLines.forEach((line, at) => {
      sheet.draw(line, STYLES.title, PAGE.right, top + at * STYLES.title.leading, 'right');
    });
  });
  let height = Math.max(1, titleLines.length) * STYLES.title.leading;
  if (mark) {
    sheet.draw(sheet.layout.line(mark, STYLES.paid), STYLES.paid, PAGE.right, top + height, 'right');
    height += STYLES.paid.leading;
  }
  if (logo) {
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height);
    const box = { x: PAGE.left, y: top, width: logo.width * scale, height: logo.height * scale };
    sheet.image(logo, cleanText(issuer) || word, box);
    height = Math.max(height, box.height);
  } else {
    height = Math.max(height, drawName(sheet, issuer, top + 5) - top);
  }
  sheet.y = top + height + 18;
}

/** Where the name ends. */
function drawName(sheet: Sheet, name: string, top: number): number {
  const lines = sheet.layout.lines(name, STYLES.name, 235).slice(0, 3);
  sheet.structure.within('P', () => {
    lines.forEach((line, at) => {
      sheet.draw(line, STYLES.name, PAGE.left, top + at * STYLES.name.leading);
    });
  });
  return top + lines.length * STYLES.name.leading;
}

/** Number, dates and amount on one ground. The number may be long and takes several lines; the others are set smaller. */
function drawBand({ sheet, document }: Opened, { numberLabel, cells }: Head): void {
  const unit = (PAGE.right - PAGE.left - 24) / (cells.length + 1.5);
  const left = PAGE.left + 12;
  const value = sheet.y + 12 + STYLES.label.leading;
  const number = sheet.layout.lines(document.number, STYLES.heading, 1.5 * unit - 12);
  const height = 22 + STYLES.label.leading + Math.max(1, number.length) * STYLES.heading.leading;
  sheet.box(sheet.y, height);
  sheet.structure.within('P', () => {
    sheet.drawFitted(numberLabel, STYLES.label, left, sheet.y + 10, 1.5 * unit - 8, 'left');
    number.forEach((line, row) => {
      sheet.draw(line, STYLES.heading, left, value + row * STYLES.heading.leading);
    });
  });
  cells.forEach(([label, text], at) => {
    const x = left + (at + 1.5) * unit;
    sheet.structure.within('P', () => {
      sheet.drawFitted(label, STYLES.label, x, sheet.y + 10, unit - 8, 'left');
      sheet.drawFitted(text, STYLES.heading, x, value, unit - 8, 'left');
    });
  });
  sheet.y += height + 20;
}

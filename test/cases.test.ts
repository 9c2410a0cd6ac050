import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { previewCases } from './rest/preview-case.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const ids: string[] = JSON.parse(read('cases/bugs.json')).map(({ id }: { id: string }) => id);

const PREVIEWS = 'rest/preview-invoice.test.ts';
const READS = 'graphql/read.test.ts';
const DOCUMENTS = 'rest/download-invoice.test.ts';
const BUGS = 'robust/bugs.test.ts';

/** Where each known fault of other systems is tried on this one. */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  [PREVIEWS]: [
    ...['001', '003', '004', '005', '007', '011', '013', '014', '016', '018', '020', '021', '023', '025'],
    ...['042', '067', '068'],
  ],
  [READS]: ['008', '015', '035', '036', '038', '051', '054', '055', '057', '058', '060'],
  [DOCUMENTS]: ['007', '015', '058', '062', '064'],
  [BUGS]: [
    ...['009', '027', '029', '031', '033', '037', '039', '041', '043', '044', '046', '047', '048', '049', '050'],
    ...['053', '065', '066', '069'],
  ],
};

it('every known fault has a test', () => {
  const covered = new Set(Object.values(COVERED).flatMap((numbers) => numbers.map((number) => `GB-${number}`)));
  expect(ids.length).toBeGreaterThan(40);
  expect(ids.filter((id) => !covered.has(id))).toEqual([]);
  expect([...covered].filter((id) => !ids.includes(id))).toEqual([]);
});

it.each(Object.entries(COVERED))('%s names the faults that it is listed with', (file, numbers) => {
  // The previews run their cases by number from the file of faults.
  const run = file === PREVIEWS ? previewCases().map(({ id }) => id.split(' ')[0]) : [];
  const text = read(file);
  const missing = numbers.map((number) => `GB-${number}`).filter((id) => !run.includes(id) && !text.includes(id));
  expect(missing).toEqual([]);
});

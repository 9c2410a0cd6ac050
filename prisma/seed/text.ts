import type { Section } from './document.ts';

/** The document as text: one row a line, so that a change of one row is a change of one line. */
export function documentText(sections: readonly Section[]): string {
  const parts = sections.map((section) => {
    const { organization, ...lists } = section;
    const texts = Object.entries(lists)
      .filter(([, rows]) => rows.length > 0)
      .map(([name, rows]) => `"${name}":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`);
    return `{"organization":${JSON.stringify(organization)},\n${texts.join(',\n')}}`;
  });
  return `{"organizations":[\n${parts.join(',\n')}\n]}\n`;
}

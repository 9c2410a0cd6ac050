/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function written(part: Part): string {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** HTML whose values are escaped, unless they are HTML themselves. Lists are joined; what is absent is empty. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + written(parts[index])).join(''));
}

/** A description's text: paragraphs, code between backticks, and what is strong between pairs of stars. */
export function prose(text: string): readonly Html[] {
  const strong = (part: string) =>
    part.split('**').map((piece, index) => (index % 2 ? html`<strong>${piece}</strong>` : piece));
  const inline = (line: string) =>
    line.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : strong(part)));
  return text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

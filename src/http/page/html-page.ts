import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '../wire/page.ts';
import { type Html, html, Html as Raw } from './html.ts';
import { isRead, staticAnswer } from './static-answer.ts';

interface Shown {
  readonly title: string;
  readonly description: string;
  /** Made when first asked for. */
  body(): Html;
}

export interface HtmlPage extends Shown {
  /** The addresses of the page. */
  readonly paths: readonly string[];
  /** A file of `assets/`. */
  readonly script?: string;
}

/** A file of `assets/`. */
export const asset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

// A square of the accent colour, so that no browser asks for an icon.
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231d4ed8'/%3E%3C/svg%3E";

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only this style and this script, which are inside of the page, and nothing from anywhere else. */
const policyOf = (style: string, script: string | undefined) =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function documentOf({ title, description, body }: Shown, style: string, script: string | undefined): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new Raw(style)}</style>
</head>
<body>
${body()}
${script !== undefined && html`<script type="module">${new Raw(script)}</script>`}
</body>
</html>
`;
}

/** A page's text, and its content security policy. */
export interface HtmlText {
  readonly text: string;
  readonly policy: string;
}

/** A page that is made for one request. `styles`: files of `assets/` that it has besides. */
export function htmlText(page: Shown, styles: readonly string[] = []): HtmlText {
  const style = ['page.css', ...styles].map(asset).join('\n');
  return { text: documentOf(page, style, undefined).text, policy: policyOf(style, undefined) };
}

/** A page that is whole in itself: its style and script are in it, and it asks nobody for anything. */
export function htmlPage(page: HtmlPage): Page {
  const style = asset('page.css');
  const script = page.script === undefined ? undefined : asset(page.script);
  return {
    matches: ({ path }, request) => page.paths.includes(path) && isRead(request),
    answer: staticAnswer({
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': policyOf(style, script), 'Referrer-Policy': 'no-referrer' },
      make: () => documentOf(page, style, script).text,
    }),
  };
}

/** A text at an address, made when first asked for. */
export const textPage = (path: string, type: string, make: () => string): Page => ({
  matches: (target, request) => target.path === path && isRead(request),
  answer: staticAnswer({ type, make }),
});

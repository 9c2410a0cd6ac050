import { type Html, html } from './html.ts';
import { type HtmlText, htmlText } from './html-page.ts';

interface ExplainedStep {
  readonly text: string;
  readonly stage: string;
  /** What it adds, and what there is after it; empty where it only tells something. */
  readonly adds: string;
  readonly total: string;
}

interface ExplainedFee {
  readonly id: string;
  readonly name: string;
  readonly period: string;
  readonly amount: string;
  /** What the explanation rests on, in a sentence. */
  readonly basis: string;
  readonly steps: readonly ExplainedStep[];
  /** Where its events are listed; empty where it has none. */
  readonly eventsPath: string;
}

/** What the page of an invoice tells, in words. */
export interface ExplainedPage {
  readonly number: string;
  readonly currency: string;
  readonly issuingDate: string;
  readonly seller: string;
  readonly buyer: string;
  readonly fees: readonly ExplainedFee[];
  readonly totals: readonly { readonly name: string; readonly amount: string }[];
}

// On a phone the heads of the columns are away: each amount says itself what it is.
const cell = (label: string, amount: string) =>
  html`<td>${amount && html`<span class="label" aria-hidden="true">${label}</span> ${amount}`}</td>`;

const stepsPart = ({ name, steps }: ExplainedFee, currency: string): Html => html`<table>
<caption><span class="skip">${name}, step by step</span></caption>
<thead><tr><th scope="col">Step</th><th scope="col">Adds (${currency})</th><th scope="col">So far (${currency})</th></tr></thead>
<tbody>${steps.map(
  ({ text, stage, adds, total }) =>
    html`<tr class="${stage}"><th scope="row">${text}</th>${cell('adds', adds)}${cell('so far', total)}</tr>`,
)}</tbody>
</table>`;

const feePart = (
  fee: ExplainedFee,
  currency: string,
): Html => html`<section class="fee" id="${fee.id}" aria-labelledby="${fee.id}-name">
<header><h2 id="${fee.id}-name">${fee.name}</h2><p class="amount">${fee.amount}</p></header>
${fee.period && html`<p class="soft">${fee.period}</p>`}
<p class="soft">${fee.basis}</p>
${fee.steps.length > 0 && stepsPart(fee, currency)}
${fee.eventsPath && html`<p class="soft">Its events, with a key of the API: <code>GET ${fee.eventsPath}</code></p>`}
</section>`;

/** The page that tells why each fee of an invoice comes to its amount: whole in itself, to be read, printed and kept. */
export function explanationPage({
  number,
  currency,
  issuingDate,
  seller,
  buyer,
  fees,
  totals,
}: ExplainedPage): HtmlText {
  const title = `Invoice ${number}, step by step`;
  const body = () => html`<a class="skip" href="#total">Skip to the total</a>
<main class="explained">
<h1>${title}</h1>
<p class="soft">From ${seller} for ${buyer}, of <time datetime="${issuingDate}">${issuingDate}</time></p>
<nav aria-label="Fees"><ol>${fees.map(
    ({ id, name, amount }) => html`<li><a href="#${id}">${name}</a> <span class="amount">${amount}</span></li>`,
  )}</ol></nav>
${fees.map((fee) => feePart(fee, currency))}
<section class="fee" aria-labelledby="total"><h2 id="total">The invoice</h2>
<table class="totals"><caption><span class="skip">From the fees to the total</span></caption><tbody>${totals.map(
    ({ name, amount }) => html`<tr><th scope="row">${name}</th><td>${amount}</td></tr>`,
  )}</tbody></table></section>
</main>`;
  const description = `How each amount of invoice ${number} came about, step by step.`;
  return htmlText({ title, description, body }, ['explanation.css']);
}

import { CURRENCY, codes, mandatory, optional, PRICE, TEXT } from './field.ts';
import { resource } from './resource.ts';

/** Something that is billed once, or by fixed charges. Source: engine-catalogue 7. */
export const ADD_ON = resource('add_on', {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  description: optional(TEXT),
  invoiceDisplayName: optional(TEXT),
  amountCents: mandatory(PRICE),
  amountCurrency: mandatory(CURRENCY),
  taxCodes: codes('tax', 'taxes'),
});

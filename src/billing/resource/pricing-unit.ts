import { mandatory, optional, TEXT, textOf } from './field.ts';
import { resource } from './resource.ts';

/** A unit that charges can be priced in; it counts in hundredths. Source: engine-catalogue 9. */
export const PRICING_UNIT = resource('pricing_unit', {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  shortName: mandatory(textOf(3)),
  description: optional(textOf(600)),
});

import { BOOLEAN, initially, mandatory, optional, RATE, TEXT } from './field.ts';
import { resource } from './resource.ts';

/** A tax rate. Source: engine-catalogue 5. */
export const TAX = resource('tax', {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  description: optional(TEXT),
  rate: mandatory(RATE),
  appliedToOrganization: initially(BOOLEAN, false),
});

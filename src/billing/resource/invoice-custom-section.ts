import { BOOLEAN, initially, mandatory, optional, TEXT } from './field.ts';
import { resource } from './resource.ts';

/** A text that is printed on invoices. Source: engine-catalogue 9. */
export const INVOICE_CUSTOM_SECTION = resource('invoice_custom_section', {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  description: optional(TEXT),
  details: optional(TEXT),
  displayName: optional(TEXT),
  appliedToOrganization: initially(BOOLEAN, false),
});

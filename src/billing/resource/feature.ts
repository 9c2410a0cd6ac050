import { mandatory, optional, textOf } from './field.ts';
import { resource } from './resource.ts';

/** Something that an application does for those whose plan has it. Source: engine-catalogue 16.1. */
export const FEATURE = resource('feature', {
  code: mandatory({ ...textOf(255), isTrimmed: true }),
  name: optional(textOf(255)),
  description: optional(textOf(600)),
});

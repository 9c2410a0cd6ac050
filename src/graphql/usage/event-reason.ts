import { builder } from '../base/builder.ts';

/** A member of an event with what is wrong with it. */
export const EventReason = builder
  .objectRef<{ readonly member: string; readonly code: string }>('EventReason')
  .implement({
    description: 'Why an event has its fate.',
    fields: (t) => ({
      member: t.exposeString('member', {
        description: 'The member that it is about, as REST calls it: `timestamp`, or `properties.seats`.',
      }),
      code: t.exposeString('code', { description: 'What is said of it, for example `value_is_mandatory`.' }),
    }),
  });

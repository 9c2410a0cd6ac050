// Half a year after the new names came.
const REMOVAL = '2027-05-31';

/** Why a former name is deprecated: what is used instead, and until when it is there. */
export const replacedBy = (name: string): string => `Use \`${name}\`. Removed on ${REMOVAL}.`;

/** Extensions of an input that REST has in another form: its bodies have no such member. */
export const GRAPH_ONLY = { extensions: { isGraphOnly: true } } as const;

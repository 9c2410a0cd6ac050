interface Selection {
  readonly valueType: string;
  readonly selectOptions: readonly string[];
}

/** What the values of a privilege can be, in the member names of the specification; an empty object but for a selection. */
export const configOf = ({ valueType, selectOptions }: Selection) =>
  valueType === 'select' ? { select_options: [...selectOptions] } : {};

/** A feature as REST shows it. */
export interface Shown {
  readonly code: string;
  readonly privileges: readonly { readonly code: string; readonly value: unknown }[];
}

/** Features as REST shows them, as values of privileges by the codes of both. */
export const valuesOf = (entitlements: readonly Shown[]) =>
  Object.fromEntries(
    entitlements.map(({ code, privileges }) => [
      code,
      Object.fromEntries(privileges.map((one) => [one.code, one.value])),
    ]),
  );

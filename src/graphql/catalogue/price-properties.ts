/** The old name of the pricing group keys is shown beside the new one, as clients of the reference expect. */
export function shownProperties(properties: unknown): unknown {
  const keys = (properties as { pricing_group_keys?: unknown } | null)?.pricing_group_keys;
  return Array.isArray(keys) ? { ...(properties as object), grouped_by: keys } : properties;
}

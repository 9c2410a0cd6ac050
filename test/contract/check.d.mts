export function validate(
  operation: string,
  status: number | string,
  body: unknown,
): { path: string; message: string }[];
export const contract: {
  operations: Record<string, { success: number[]; errors: Record<string, unknown>; request: unknown }>;
};

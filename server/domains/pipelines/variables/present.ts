/** Variables as the API shows them. */
import type { Variable } from "@forgeline/schemas/variables/resource.ts";
import type { VariableRow } from "./variables.store.ts";

export function presentVariable(row: VariableRow): Variable {
  const { created_at: createdAt, updated_at: updatedAt, ...shown } = row;
  return { ...shown, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

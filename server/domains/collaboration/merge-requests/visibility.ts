/** Who sees two repositories. */
import type { RepositoryRef } from "../../policy/domain.ts";

type Visibility = RepositoryRef["visibility"];

const visibilities: readonly Visibility[] = ["private", "internal", "public"];

/** Whether fewer people see the first one. Null: one that everyone sees. */
export function isNarrower(one: Visibility, other: Visibility | null): boolean {
  return visibilities.indexOf(one) < visibilities.indexOf(other ?? "public");
}

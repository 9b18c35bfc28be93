/** Records of conflicts, as the API shows them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { Side } from "./resolution.ts";

export type Conflicts = Schemas["MergeConflicts"];
/** Of the two branches. */
export type BranchNames = Readonly<Record<Side, string>>;

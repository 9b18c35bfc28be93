/** Why a sync is not possible. A conflict is no failure of ours: it says what to do, and names no request. */
import { ForgelineApiError } from "@forgeline/client/errors.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/fork-syncs.ts";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { ConflictPaths } from "./conflict-paths.tsx";

export function SyncProblem({ error }: { error: unknown }) {
  const conflicts = conflictsOf(error);
  if (conflicts.length === 0) return <ProblemNotice error={error} />;
  return (
    <Notice tone="bad" title={text.conflictTitle}>
      <ConflictPaths conflicts={conflicts} />
      <div>{text.conflictHint}</div>
    </Notice>
  );
}

/** Only answers to syncs have them, so the record of errors does not name them. */
function conflictsOf(error: unknown): readonly Schemas["ForkConflict"][] {
  if (!(error instanceof ForgelineApiError)) return [];
  const body: object = error.body;
  return "conflicts" in body ? (body.conflicts as Schemas["ForkConflict"][]) : [];
}

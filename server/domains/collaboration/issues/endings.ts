/** How an issue ends: what a request to close or reopen it means. */
import type { IssueUpdate } from "@forgeline/schemas/issues/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Viewing } from "./issues.store.ts";

/** The issue that says the same, as it was named. */
export interface SameIssue {
  /** Undefined: in the same repository. */
  repository: string | undefined;
  number: number;
}

export interface Ending {
  state: "open" | "closed";
  reason: string | null;
  duplicateOf?: SameIssue;
}

/** Undefined: neither closed nor reopened. Throws `validation_failed` for a duplicate that is not closed as one. */
export function endingOf(wanted: IssueUpdate): Ending | undefined {
  const { state, state_reason: reason, duplicate_of: same } = wanted;
  if (same === undefined) {
    if (state === undefined) return undefined;
    return { state, reason: state === "open" ? null : (reason ?? "completed") };
  }
  if (state !== "closed" || (reason !== undefined && reason !== "duplicate"))
    throw invalidField(
      "duplicate_of",
      "invalid",
      "A duplicate is closed as one: give the state `closed`, and no other reason.",
    );
  return { state, reason: "duplicate", duplicateOf: sameIssue(same) };
}

function sameIssue(named: number | string): SameIssue {
  if (typeof named === "number") return { repository: undefined, number: named };
  const [repository = "", number = ""] = named.split("#");
  return { repository, number: Number(number) };
}

/** Issues elsewhere are for those who may read issues there. */
export function viewingOf(actor: Actor): Viewing {
  const { userId, isAdmin, repositoryIds } = actor;
  if (hasScope(actor, "issue:read")) return { userId, isAdmin, repositoryIds };
  return { userId, isAdmin: false, repositoryIds: [] };
}

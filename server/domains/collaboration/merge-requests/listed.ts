/** What a list of merge requests is asked for, by its parameters and its query. */
import type { MergeRequestQuery } from "@forgeline/schemas/merge-requests/query.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { askerOf, conditionsOf, labelNames, readAsked } from "../search/asked.ts";
import type { ListedMergeRequests } from "./list.store.ts";

/** Throws `validation_failed` for a query that cannot be understood. */
export function listedOf(actor: Actor, query: MergeRequestQuery): ListedMergeRequests {
  const { q = "", labels, source_branch: sourceBranch, target_branch: targetBranch, ...others } = query;
  const { sort, direction, page, per_page, ...parameters } = others;
  const asker = askerOf(actor);
  const read = readAsked("q", q, asker);
  return {
    conditions: conditionsOf({ ...parameters, label: labelNames(labels) }, read, asker),
    sourceBranch,
    targetBranch,
    order: read.order ?? { sort, direction },
    page,
    per_page,
  };
}

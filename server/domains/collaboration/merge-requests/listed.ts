/** What a list of merge requests is asked for, by its parameters and its query. */
import type { MergeRequestQuery } from "@forgeline/schemas/merge-requests/query.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Database } from "../../../platform/db/database.ts";
import { askerOf, labelNames, listConditionsOf, readAsked } from "../search/asked.ts";
import { listWithinTime } from "../search/within-time.ts";
import { listMergeRequests, type ListedMergeRequests, type ListPlace } from "./list.store.ts";

/** Throws `validation_failed` for a query that cannot be understood. */
export function listedOf(actor: Actor, query: MergeRequestQuery): ListedMergeRequests {
  const { q = "", labels, source_branch: sourceBranch, target_branch: targetBranch, ...others } = query;
  const { sort, direction, page, per_page, ...parameters } = others;
  const asker = askerOf(actor);
  const read = readAsked("q", q, asker);
  return {
    ...listConditionsOf({ ...parameters, label: labelNames(labels) }, read, asker),
    sourceBranch,
    targetBranch,
    order: read.order ?? { sort, direction },
    page,
    per_page,
  };
}

/** Throws as `listWithinTime`. */
export function findListed(db: Database, place: ListPlace, listed: ListedMergeRequests) {
  return listWithinTime(db, listed, (queryable) => listMergeRequests(queryable, place, listed));
}

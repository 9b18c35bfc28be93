/** What a list of merge requests is asked for, by its parameters and its query. */
import type { MergeRequestQuery } from "@forgeline/schemas/merge-requests/query.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Database } from "../../../platform/db/database.ts";
import { askerOf, labelNames, listConditionsOf, readAsked } from "../search/asked.ts";
import { listWithinTime } from "../search/within-time.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { listMergeRequests, type ListedMergeRequests } from "./list.store.ts";
import type { MergeRequirements } from "./requirements/service.ts";

/** Throws `validation_failed` for a query that cannot be understood. */
function listedOf(actor: Actor, query: MergeRequestQuery): ListedMergeRequests {
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

export interface ListedDeps {
  db: Database;
  requirements: Pick<MergeRequirements, "ofList">;
}

/** With what rules say of each. Throws as `listedOf` and `listWithinTime`. */
export async function readListed(
  { db, requirements }: ListedDeps,
  { actor, granted }: { actor: Actor; granted: GrantedRepository },
  query: MergeRequestQuery,
) {
  const listed = listedOf(actor, query);
  const { wantsDecisions, standingOf } = await requirements.ofList(actor, granted);
  const place = { repositoryId: granted.repository.id, viewerId: actor.userId, wantsDecisions };
  const found = await listWithinTime(db, listed, (queryable) => listMergeRequests(queryable, place, listed));
  return { ...found, standingOf };
}

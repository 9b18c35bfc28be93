/** Searches issues and merge requests of all repositories that whoever asks may read now. */
import { maxReachable, type FoundItems } from "@forgeline/schemas/search/resource.ts";
import { maxPerPage } from "@forgeline/schemas/core/pagination.ts";
import type { SearchQuery } from "@forgeline/schemas/search/routes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { askerOf, conditionsOf, readAsked } from "./asked.ts";
import { presentFoundItem } from "./present.ts";
import { search, type Search, type SearchViewer } from "./search.store.ts";
import { withinTime } from "./within-time.ts";

export interface ItemSearch {
  /** Throws `validation_failed` for a query that cannot be understood, that takes too long, and past what can be reached. */
  find(actor: Actor, query: SearchQuery): Promise<FoundItems>;
}

export function createItemSearch(deps: { db: Database; addresses: Addresses }): ItemSearch {
  const { db, addresses } = deps;

  return {
    async find(actor, query) {
      const { rows, total } = await withinTime(db, (tx) =>
        search(tx, viewerOf(actor), wantedOf(actor, query)),
      );
      return { total_count: total, items: rows.map((row) => presentFoundItem(row, addresses)) };
    },
  };
}

function wantedOf(actor: Actor, query: SearchQuery): Search {
  const { q, page, per_page: wanted, sort = "created", direction, type, repository, ...parameters } = query;
  const perPage = Math.min(wanted, maxPerPage);
  const offset = (page - 1) * perPage;
  if (offset >= maxReachable)
    throw invalidField(
      "page",
      "too_large",
      `Only the first ${maxReachable} results can be read: narrow the search.`,
    );
  const asker = askerOf(actor);
  const read = readAsked("q", q, asker);
  // Issues are what is searched unless something else is said.
  const saysKind = read.conditions.some(({ on, not }) => on === "kind" && !not);
  const kind = type === "all" || (type === "issue" && saysKind) ? undefined : type;
  return {
    conditions: conditionsOf({ ...parameters, repo: repository, type: kind }, read, asker),
    order: read.order ?? { sort, direction },
    limit: Math.min(perPage, maxReachable - offset),
    offset,
  };
}

/** As everyone, where the token may read neither. */
function viewerOf(actor: Actor): SearchViewer {
  const kinds: SearchViewer["kinds"] = [
    ...(hasScope(actor, "issue:read") ? (["issue"] as const) : []),
    ...(hasScope(actor, "mr:read") ? (["merge_request"] as const) : []),
  ];
  const { userId, isAdmin, repositoryIds } = actor;
  return { userId, isAdmin, repositoryIds, kinds };
}

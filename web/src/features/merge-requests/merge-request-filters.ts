/** Which merge requests are wanted, as it stands in the address: one can be sent to somebody else. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";

const states = ["open", "merged", "closed", "all"] as const;
const sorts = ["created", "updated", "comments"] as const;

/** Typed by people, as the address has them. */
export const wordFilters = ["q", "author", "assignee", "target_branch", "labels"] as const;

/** What "Clear filters" takes away; the state is none of them: it is always one. */
export const filterNames = [...wordFilters, "milestone", "source_branch", "draft", "sort"] as const;

export interface MergeRequestFilters {
  state: (typeof states)[number];
  sort?: (typeof sorts)[number];
  draft?: "true" | "false";
  q?: string;
  author?: string;
  assignee?: string;
  source_branch?: string;
  target_branch?: string;
  labels?: string;
  milestone?: string;
}

/** What the server would refuse is left out. */
export function filtersOf(query: URLSearchParams): MergeRequestFilters {
  const words = [...wordFilters, "milestone", "source_branch"] as const;
  const given = words
    .map((name) => [name, query.get(name)?.trim()] as const)
    .filter(([name, value]) => value && !(name === "q" && value.length > maxQueryChars));
  const sort = sorts.find((known) => known === query.get("sort"));
  const draft = (["true", "false"] as const).find((known) => known === query.get("draft"));
  return {
    state: states.find((known) => known === query.get("state")) ?? "open",
    ...(sort ? { sort } : {}),
    ...(draft ? { draft } : {}),
    ...Object.fromEntries(given),
  };
}

/** The order is no filter: all are there in any order. */
export function isFiltered(filters: MergeRequestFilters): boolean {
  return filterNames.some((name) => name !== "sort" && filters[name] !== undefined);
}

/** The address's query with another value: from the first page on. */
export function withFilter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query);
  if (value.trim() === "") next.delete(name);
  else next.set(name, value.trim());
  next.delete("page");
  return next;
}

/** What a query for issues and merge requests asks for, without the database. */

export type Person = { name: string; isViewer: boolean };
export type ItemState = "open" | "closed" | "merged";
export type SearchedKind = "issue" | "merge_request";
export const personRoles = [
  "author",
  "assignee",
  "mentions",
  "commenter",
  "involves",
  "review-requested",
  "reviewed-by",
] as const;
export type PersonRole = (typeof personRoles)[number];
export const dateFields = ["created", "updated", "closed", "due"] as const;
export type DateField = (typeof dateFields)[number];
export const lacking = ["label", "assignee", "milestone", "due"] as const;
export type Lacking = (typeof lacking)[number];
export const marks = ["draft", "locked", "pinned", "overdue"] as const;
export type Mark = (typeof marks)[number];

/** Words of which one is enough; one that is not exact also finds words that begin with it. */
export type Words = readonly { text: string; exact: boolean }[];

export type Condition = { not: boolean } & (
  | { on: "words"; any: Words }
  | { on: "state"; any: readonly ItemState[] }
  | { on: "kind"; any: readonly SearchedKind[] }
  | { on: "person"; role: PersonRole; any: readonly Person[] }
  | { on: "label"; name: string }
  | { on: "milestone"; title: string }
  /** Of a merge request. */
  | { on: "branch"; side: "source" | "target"; name: string }
  | { on: "lacks"; what: Lacking }
  | { on: "mark"; mark: Mark }
  | { on: "repository"; any: readonly string[] }
  | { on: "owner"; any: readonly string[] }
  /** Days; `before` does not belong to it. */
  | { on: "date"; field: DateField; from: string | null; before: string | null }
);

export const searchSorts = ["created", "updated", "comments"] as const;
export interface SearchOrder {
  sort: (typeof searchSorts)[number];
  direction: "asc" | "desc";
}

export interface ReadQuery {
  conditions: Condition[];
  /** What `sort:` says. */
  order: SearchOrder | null;
}

/** What a list is asked for. */
export interface ListConditions {
  conditions: readonly Condition[];
  /**
   * Its statements are not kept prepared, and are ended where they take too long: the plan that is good for one can be slow for
   * another, or there are as many texts as queries, of which each would stay in memory.
   */
  isOwn: boolean;
}

/** Whether the plan that is good for one such query can be slow for another: words are rare or common. */
export function needsOwnPlan(conditions: readonly Condition[]): boolean {
  return conditions.some(
    (condition) =>
      condition.not || condition.on === "words" || (condition.on === "person" && condition.role !== "author"),
  );
}

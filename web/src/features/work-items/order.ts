/** In which order a list of issues or merge requests is, as its address has it. */
const sorts = ["created", "updated", "comments"] as const;

export interface Order {
  sort?: (typeof sorts)[number];
  direction?: "asc" | "desc";
}

/** What the server would refuse is left out. */
export function orderOf(query: URLSearchParams): Order {
  const sort = sorts.find((known) => known === query.get("sort"));
  return { ...(sort ? { sort } : {}), ...(query.get("direction") === "asc" ? { direction: "asc" } : {}) };
}

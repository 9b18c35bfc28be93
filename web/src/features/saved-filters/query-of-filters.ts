/** The filters of a list as one query, which can be kept (`docs/search.md`). */
import { quoted } from "../search/qualifiers.ts";

export interface ListFilters {
  state: string;
  q?: string;
  labels?: string;
  author?: string;
  assignee?: string;
  milestone?: string;
  source_branch?: string;
  target_branch?: string;
  draft?: string;
  sort?: string;
  direction?: string;
}

/** Empty where a list shows what it shows without any filter. */
export function queryOfFilters(filters: ListFilters): string {
  const { state, q = "", labels = "", sort, direction = "desc" } = filters;
  const named = [
    ["author", filters.author],
    ["assignee", filters.assignee],
    ["milestone", filters.milestone],
    ["source", filters.source_branch],
    ["target", filters.target_branch],
    ["draft", filters.draft],
    ...labels.split(",").map((name) => ["label", name.trim()] as const),
  ] as const;
  const parts = [
    ...(state === "open" || /(^|\s)(is:(open|closed|merged)|state:)/i.test(q) ? [] : [`state:${state}`]),
    q,
    ...named.map(([name, value]) => (value ? `${name}:${quoted(value)}` : "")),
    ...(sort === undefined && direction === "desc" ? [] : [`sort:${sort ?? "created"}-${direction}`]),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

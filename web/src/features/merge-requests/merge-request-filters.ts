/** Which merge requests are wanted, as it stands in the address: one can be sent to somebody else. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { textFilters } from "../work-items/address-filters.ts";
import { orderOf, type Order } from "../work-items/order.ts";

const states = ["open", "merged", "closed", "all"] as const;

export interface MergeRequestFilters extends Order {
  state: (typeof states)[number];
  draft?: "true" | "false";
  q?: string;
  author?: string;
  assignee?: string;
  source_branch?: string;
  target_branch?: string;
  labels?: string;
  milestone?: string;
}

/** Names in the address, each with how long the server lets it be. */
const lengths = {
  q: maxQueryChars,
  labels: 2_000,
  milestone: 255,
  author: 201,
  assignee: 201,
  source_branch: 1_000,
  target_branch: 1_000,
} as const;

/** Those that leave out merge requests of the chosen state. */
export const narrowing = [...(Object.keys(lengths) as (keyof typeof lengths)[]), "draft"] as const;

export function filtersOf(query: URLSearchParams): MergeRequestFilters {
  const draft = (["true", "false"] as const).find((known) => known === query.get("draft"));
  return {
    state: states.find((known) => known === query.get("state")) ?? "open",
    ...(draft ? { draft } : {}),
    ...textFilters(query, lengths),
    ...orderOf(query),
  };
}

export function isNarrowed(filters: MergeRequestFilters): boolean {
  return narrowing.some((name) => filters[name] !== undefined);
}

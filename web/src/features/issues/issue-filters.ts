/** Which issues are wanted, as it stands in the address: one can be sent to somebody else. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { hasWord, withWord } from "../search/query-words.ts";
import { textFilters, withoutValues } from "../work-items/address-filters.ts";
import { orderOf, type Order } from "../work-items/order.ts";

export interface IssueFilters extends Order {
  state: "open" | "closed";
  labels?: string;
  author?: string;
  assignee?: string;
  milestone?: string;
  q?: string;
}

/** Names in the address, each with how long the server lets it be. */
const lengths = { labels: 2_000, author: 201, assignee: 201, milestone: 255, q: maxQueryChars } as const;

/** Those that leave out issues of the chosen state. */
const narrowing = Object.keys(lengths) as (keyof typeof lengths)[];

export function filtersOf(query: URLSearchParams): IssueFilters {
  return {
    state: query.get("state") === "closed" ? "closed" : "open",
    ...textFilters(query, lengths),
    ...orderOf(query),
  };
}

export function isNarrowed(filters: IssueFilters): boolean {
  return narrowing.some((name) => filters[name] !== undefined);
}

export function withoutFilters(query: URLSearchParams): URLSearchParams {
  return withoutValues(query, narrowing);
}

const overdue = "is:overdue";

/** Whether the search asks for overdue ones. */
export function asksOverdue({ q = "" }: Pick<IssueFilters, "q">): boolean {
  return hasWord(q, overdue);
}

/** The search with that, or without it. */
export function withOverdue({ q = "" }: Pick<IssueFilters, "q">, wanted: boolean): string {
  return withWord(q, overdue, wanted);
}

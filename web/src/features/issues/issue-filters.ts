/** Which issues are wanted, as it stands in the address: one can be sent to somebody else. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { hasWord, withWord } from "../search/query-words.ts";

export const sorts = ["created", "updated", "comments"] as const;

export interface IssueFilters {
  state: "open" | "closed";
  labels?: string;
  author?: string;
  assignee?: string;
  milestone?: string;
  q?: string;
  sort?: (typeof sorts)[number];
  direction?: "asc" | "desc";
}

/** Names in the address, each with how long the server lets it be. */
const lengths = { labels: 2_000, author: 201, assignee: 201, milestone: 255, q: maxQueryChars } as const;
type TextFilter = keyof typeof lengths;

/** Those that leave out issues of the chosen state. */
export const narrowing = Object.keys(lengths) as TextFilter[];

/** What the server would refuse is left out. */
export function filtersOf(query: URLSearchParams): IssueFilters {
  const texts = narrowing.flatMap((name) => {
    const value = query.get(name)?.trim();
    return value && value.length <= lengths[name] ? [[name, value]] : [];
  });
  const sort = sorts.find((known) => known === query.get("sort"));
  const direction = query.get("direction") === "asc" ? ("asc" as const) : undefined;
  return {
    state: query.get("state") === "closed" ? "closed" : "open",
    ...(Object.fromEntries(texts) as Partial<Record<TextFilter, string>>),
    ...(sort ? { sort } : {}),
    ...(direction ? { direction } : {}),
  };
}

export function isNarrowed(filters: IssueFilters): boolean {
  return narrowing.some((name) => filters[name] !== undefined);
}

/** The address's query with other values, from the first page on. An empty value is none. */
export function withValues(
  query: URLSearchParams,
  values: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === "") next.delete(name);
    else next.set(name, value.trim());
  }
  next.delete("page");
  return next;
}

export function withoutFilters(query: URLSearchParams): URLSearchParams {
  return withValues(query, Object.fromEntries(narrowing.map((name) => [name, ""])));
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

/** Names of labels, which contain no comma. */
export function labelNames(labels: string | undefined): string[] {
  return (labels ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}

/** The pages of a column that were fetched, with an issue taken out or put in. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export interface ColumnPage {
  issues: Schemas["Issue"][];
  total: number;
}

export interface Pages {
  pages: ColumnPage[];
  pageParams: unknown[];
}

export function withoutIssue<Data extends Pages>(data: Data | undefined, number: number): Data | undefined {
  if (!data || !data.pages.some(({ issues }) => issues.some((each) => each.number === number))) return data;
  const pages = data.pages.map(({ issues, total }) => ({
    issues: issues.filter((each) => each.number !== number),
    total: total - 1,
  }));
  return { ...data, pages };
}

/** `index`: among all that were fetched, without the issue itself. */
export function withIssue<Data extends Pages>(
  data: Data | undefined,
  issue: Schemas["Issue"],
  index: number,
): Data | undefined {
  const rest = withoutIssue(data, issue.number);
  if (!rest) return rest;
  let before = 0;
  let isIn = false;
  const pages = rest.pages.map(({ issues, total }, page) => {
    const at = index - before;
    before += issues.length;
    const isHere = !isIn && (at <= issues.length || page === rest.pages.length - 1);
    isIn ||= isHere;
    return { issues: isHere ? issues.toSpliced(at, 0, issue) : issues, total: total + 1 };
  });
  return { ...rest, pages };
}

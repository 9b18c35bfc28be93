/**
 * Columns are asked for one by one, so of an issue that somebody else moved one column knows before another: without this, it would
 * stand in both for a while, or in both again when a late answer comes.
 */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { standsIn } from "./column-of.ts";
import { withoutIssue, type ColumnPage, type Pages } from "./column-pages.ts";

type Columns = Parameters<typeof standsIn>[1];
type Issue = Schemas["Issue"];

const isNewer = (one: Issue, other: Issue) => Date.parse(one.updated_at) > Date.parse(other.updated_at);
const issuesOf = (data: Pages | undefined) => data?.pages.flatMap(({ issues }) => issues) ?? [];

/** What another column shows, without what has left it by this answer. */
export function withoutMoved<Data extends Pages>(
  data: Data | undefined,
  answer: readonly Issue[],
  { column, columns }: { column: string; columns: Columns },
): Data | undefined {
  const shown = new Map(issuesOf(data).map((issue) => [issue.number, issue]));
  const moved = answer.filter((issue) => {
    const known = shown.get(issue.number);
    return known && !isNewer(known, issue) && !standsIn(issue, columns, column);
  });
  return moved.reduce((rest, { number }) => withoutIssue(rest, number), data);
}

/** The answer of a column, without what has left it by what others were told later. */
export function withoutStale(
  { issues, total }: ColumnPage,
  others: readonly (Pages | undefined)[],
  { column, columns }: { column: string; columns: Columns },
): ColumnPage {
  const known = others.flatMap(issuesOf);
  const left = issues.filter(
    (issue) =>
      !known.some(
        (other) =>
          other.number === issue.number && isNewer(other, issue) && !standsIn(other, columns, column),
      ),
  );
  return { issues: left, total: total - (issues.length - left.length) };
}

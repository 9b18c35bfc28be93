/** Addresses of GitHub's lists, and how those go on that have more records than GitHub lists pages of. */
import { z } from "zod";
import * as field from "./fields.ts";
import { perPage, type ReadPlace, type ReadStep } from "./source-reader.ts";

/** What comes beyond the pages that the host lists is asked for by when it last changed; pull requests, by their numbers. */
const sinceSteps: readonly ReadStep[] = ["issues", "comments", "line_comments"];
const numberCursor = /^number=(\d{1,10})$/;

const lists: Record<Exclude<ReadStep, "reviews">, string> = {
  labels: "/labels?",
  milestones: "/milestones?state=all&sort=due_on&direction=asc&",
  issues: "/issues?state=all&sort=created&direction=asc&",
  merge_requests: "/pulls?state=all&sort=created&direction=asc&",
  comments: "/issues/comments?sort=created&direction=asc&",
  line_comments: "/pulls/comments?sort=created&direction=asc&",
};

export function single(cursor: string): number | undefined {
  const found = numberCursor.exec(cursor)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Below that of the repository. */
export function pathOf(step: ReadStep, { page, number, cursor }: ReadPlace): string {
  const list = step === "reviews" ? `/pulls/${number}/reviews?` : lists[step];
  const one = single(cursor ?? "");
  if (one !== undefined) return `/pulls/${one}`;
  const size = `per_page=${perPage}`;
  if (cursor === null) return `${list}${size}&page=${page}`;
  if (cursor.startsWith("after=")) return `${list}${size}&${cursor}`;
  return `${list.replace("sort=created", "sort=updated")}${size}&${cursor}&page=${page}`;
}

const Newest = z.object({ number: field.number, created_at: z.string(), updated_at: z.string() }).partial();

/** Whatever is not read yet was opened after the last record, so it changed after that too. */
export function beyond(step: ReadStep, last: unknown, before: string | null): string | undefined {
  const records = Array.isArray(last) ? last.map((record: unknown) => Newest.safeParse(record).data) : [];
  const data = records.findLast((record) => record?.created_at !== undefined);
  if (step === "merge_requests") return data?.number === undefined ? undefined : `number=${data.number + 1}`;
  if (!sinceSteps.includes(step) || before?.startsWith("after=")) return undefined;
  const { data: time } = field.time.safeParse(before === null ? data?.created_at : data?.updated_at);
  // GitHub's times have no fractions: others of the same second may be still to come.
  const since = time && `since=${encodeURIComponent(new Date(time.getTime() - 1_000).toISOString())}`;
  // Only forwards: both are times in the same form.
  return since !== undefined && since > (before ?? "") ? since : undefined;
}

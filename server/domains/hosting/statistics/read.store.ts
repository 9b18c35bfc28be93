/** Reads computed statistics for requests, each with one statement. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ReadRows } from "./read.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { noReply } from "../../accounts/domain.ts";

export interface StatisticsHead {
  /** null: never computed. */
  computed_at: Date | null;
  commit: string | null;
  total_commits: number;
  is_waiting: boolean;
  problem: string | null;
}

export const headColumns = `s.computed_at, s.commit_sha as commit, coalesce(s.commits, 0) as total_commits,
  coalesce(m.wanted > m.done, true) as is_waiting, m.problem`;
export const headFrom = `from repositories r left join statistics_marks m on m.repository_id = r.id
  left join repository_statistics s on s.repository_id = r.id`;

export interface WeekWindow {
  /** Mondays. */
  first: string;
  last: string;
}

export interface WeekRow {
  week: string;
  commits: number;
  additions: number;
  deletions: number;
}

export type CommitStatisticsRow = StatisticsHead & { weeks: WeekRow[] };

/** Weeks without commits included, oldest first. undefined when the repository is gone. */
export function readCommits(
  db: Queryable,
  repositoryId: string,
  window: WeekWindow,
): Promise<CommitStatisticsRow | undefined> {
  return db.one(statements.readCommits, [repositoryId, window.first, window.last]);
}

export interface LanguageRow {
  language: string;
  color: string | null;
  bytes: number;
  files: number;
}

export type LanguageStatisticsRow = StatisticsHead & { languages: LanguageRow[] };

/** Largest first. undefined when the repository is gone. */
export function readLanguages(
  db: Queryable,
  repositoryId: string,
): Promise<LanguageStatisticsRow | undefined> {
  return db.one(statements.readLanguages, [repositoryId]);
}

// A user who has verified an address is the author of its commits, also of earlier ones. Addresses made of a user's name, for
// commits over REST, are that user's. All addresses of one person are summed.
const addresses = `from (select c.*, coalesce(e.user_id, n.id) as user_id from repository_contributors c
    left join user_emails e on lower(e.email) = c.email and e.verified_at is not null
    left join owners n on n.kind = 'user' and right(c.email, ${noReply.length}) = '${noReply}'
      and lower(n.name) = left(c.email, -${noReply.length})
    where c.repository_id = $1) a`;
const people = `select coalesce(a.user_id, a.email) as key, min(a.user_id) as user_id, array_agg(a.email) as emails,
    (array_agg(a.name order by a.named_at desc, a.named_by desc))[1] as name, min(a.email) as email,
    sum(a.commits)::bigint as commits, sum(a.additions)::bigint as additions, sum(a.deletions)::bigint as deletions,
    min(a.first_week) as first_week, max(a.last_week) as last_week
  ${addresses} group by 1`;

interface Known {
  /** The window has at least one week. */
  readCommits: { weeks: WeekRow[] };
  /** Each row comes from commits, which have a name. */
  listContributors: { name: string };
}

export const statements = defineStatements<ReadRows, Known>({
  readCommits: `
    select ${headColumns}, (
      select jsonb_agg(jsonb_build_object('week', to_char(d.week, 'YYYY-MM-DD'), 'commits', coalesce(w.commits, 0),
        'additions', coalesce(w.additions, 0), 'deletions', coalesce(w.deletions, 0)) order by d.week)
      from generate_series($2::timestamp, $3::timestamp, interval '1 week') as d(week)
      left join repository_commit_weeks w on w.repository_id = $1 and w.week = d.week::date) as weeks
    ${headFrom} where r.id = $1`,
  readLanguages: `
    select ${headColumns}, (
      select coalesce(jsonb_agg(jsonb_build_object('language', l.language, 'color', l.color, 'bytes', l.bytes,
        'files', l.files) order by l.bytes desc, l.language), '[]')
      from repository_languages l where l.repository_id = $1) as languages
    ${headFrom} where r.id = $1`,
  listContributors: `
    with shown as (select * from (${people}) p order by commits desc, key limit $2 offset $3)
    select s.name, o.name as username, case when o.id is null then s.email end as email, s.commits, s.additions,
      s.deletions, to_char(s.first_week, 'YYYY-MM-DD') as first_week, to_char(s.last_week, 'YYYY-MM-DD') as last_week,
      coalesce(w.weeks, '[]') as weeks
    from shown s left join owners o on o.id = s.user_id left join lateral (
      select jsonb_agg(to_jsonb(each) order by each.week) as weeks from (
        select to_char(cw.week, 'YYYY-MM-DD') as week, sum(cw.commits)::bigint as commits,
          sum(cw.additions)::bigint as additions, sum(cw.deletions)::bigint as deletions
        from repository_contributor_weeks cw
        where cw.repository_id = $1 and cw.email = any (s.emails) and cw.week between $4::date and $5::date
        group by cw.week) each) w on true
    order by s.commits desc, s.key`,
});

export type ContributorRow = RowOf<typeof statements.listContributors>;

/** Ordered by commits, most first. */
export async function listContributors(
  db: Queryable,
  repositoryId: string,
  { page, window }: { page: PageQuery; window: WeekWindow },
): Promise<{ rows: ContributorRow[]; total: number }> {
  const rows = await db.query(statements.listContributors, [
    repositoryId,
    page.per_page,
    offsetOf(page),
    window.first,
    window.last,
  ]);
  return { rows, total: await countRows(db, `from (${people}) counted`, [repositoryId]) };
}

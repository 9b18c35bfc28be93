/** Reads and writes discussions of teams, each with all that its record shows. Private ones only for who belongs to the team. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { levelSql } from "../../policy/domain.ts";
import { reactionsSql } from "../reactions/columns.store.ts";
import type { DiscussionsRows } from "./discussions.rows.ts";

interface Author {
  /** Whether there is one is never null. */
  is_issue: boolean;
  /** A function gives it. */
  author: UserSnapshot | null;
}
interface Known {
  /** Why is said there. */
  findDiscussion: Author;
  /** As above. */
  listDiscussions: Author;
}

const issueLevel = levelSql({ repository: "r", user: "$3::text", admin: "false" });
/** `$3` of each statement is who looks at it. */
const columns = `d.id, d.number, n.full_name as team, d.title, d.body, d.author_id, user_snapshot(d.author_id) as author, d.private, d.locked,
    d.pinned_at, d.replies_count, d.edited_at, d.created_at, d.updated_at,
    (select jsonb_build_object('full_name', n.full_name, 'number', w.number)
      from work_items w join repositories r on r.id = w.repository_id join repository_names n on n.repository_id = r.id
      where w.id = d.issue_id and ${issueLevel} is not null) as issue, d.issue_id is not null as is_issue,
    ${reactionsSql("d.id", "$3")}`;
const joined = "team_discussions d join team_names n on n.team_id = d.team_id";
/** `$2`: whether the viewer belongs to the team. */
const seen = `from ${joined} where d.team_id = $1 and (not d.private or $2::boolean)`;

export const statements = defineStatements<DiscussionsRows, Known>({
  belongs: `
    select 1 as found from team_members m join teams t on t.id = m.team_id
    where m.user_id = $2 and t.lineage @> array[$1]::text[] limit 1`,
  takeNumber: `
    insert into team_discussion_numbers (team_id, last) values ($1, 1)
    on conflict (team_id) do update set last = team_discussion_numbers.last + 1 returning last`,
  insertDiscussion: `
    insert into team_discussions (id, team_id, number, title, body, author_id, private) values ($1, $2, $3, $4, $5, $6, $7)`,
  findDiscussion: `select ${columns} ${seen} and d.number = $4`,
  listDiscussions: `
    select ${columns} ${seen} order by d.pinned_at is null, d.number desc limit $4 offset $5`,
  lockDiscussion: `
    select d.id from team_discussions d
    where d.team_id = $1 and (not d.private or $2::boolean) and d.number = $3 for no key update`,
  countDiscussions: `
    select count(*)::int as count, count(*) filter (where pinned_at is not null)::int as pinned
    from team_discussions where team_id = $1`,
  setTexts:
    "update team_discussions set title = $2, body = $3, edited_at = now(), updated_at = now() where id = $1",
  setPinned: `
    update team_discussions set pinned_at = case when $2::boolean then now() end, updated_at = now() where id = $1`,
  setLocked: "update team_discussions set locked = $2, updated_at = now() where id = $1",
  setIssue: "update team_discussions set issue_id = $2, updated_at = now() where id = $1",
  addReplies: `
    update team_discussions set replies_count = replies_count + $2, updated_at = now() where id = $1`,
  deleteDiscussion: "delete from team_discussions where id = $1",
});

export type DiscussionRow = RowOf<typeof statements.findDiscussion>;

/** A team as its viewer sees it. */
export interface SeenTeam {
  teamId: string;
  belongs: boolean;
  viewerId: string | null;
}

export function findDiscussion(
  db: Queryable,
  { teamId, belongs, viewerId }: SeenTeam,
  number: number,
): Promise<DiscussionRow | undefined> {
  return db.one(statements.findDiscussion, [teamId, belongs, viewerId, number]);
}

/** Pinned ones, then the newest first. */
export async function listDiscussions(
  db: Database,
  { teamId, belongs, viewerId }: SeenTeam,
  page: PageQuery,
): Promise<{ rows: DiscussionRow[]; total: number }> {
  const params = [teamId, belongs];
  const [rows, total] = await Promise.all([
    db.query(statements.listDiscussions, [...params, viewerId, page.per_page, offsetOf(page)]),
    countRows(db, seen, params),
  ]);
  return { rows, total };
}

export interface NewDiscussion {
  id: string;
  teamId: string;
  title: string;
  body: string;
  authorId: string;
  private: boolean;
}

/** Others that start one in this team wait until the transaction ends. Gives the number. */
export async function insertDiscussion(tx: Transaction, wanted: NewDiscussion): Promise<number> {
  const taken = await tx.one(statements.takeNumber, [wanted.teamId]);
  if (!taken) throw new Error("the insert gave no row");
  const { id, teamId, title, body, authorId } = wanted;
  await tx.query(statements.insertDiscussion, [
    id,
    teamId,
    taken.last,
    title,
    body,
    authorId,
    wanted.private,
  ]);
  return taken.last;
}

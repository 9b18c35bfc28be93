/** What runs need to know of merge requests, and for which of them runs are to be made. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Reach } from "../../../platform/access/reach.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { SubjectsRows } from "./subjects.rows.ts";

const isTrustedSql = `(${levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" })} >= 'write' or exists (
      select from trusted_authors t where t.repository_id = r.id and t.user_id = u.id and t.expires_at > now()))`;

export const statements = defineStatements<SubjectsRows>({
  // Locked: of two changes at once, the second sees what the first has done.
  findBefore: `
    select is_open, target_branch, draft, labels, happened from merge_request_subjects where merge_request_id = $1 for update`,
  // Who brought a head that came while nobody was looking is not known.
  follow: `
    insert into merge_request_subjects as s (merge_request_id, repository_id, number, is_open, source_repository_id, source_branch,
      target_branch, head_sha, title, draft, labels, author_id, pusher_id, actor_id, wanted, due_at, reach, happened)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $17, $13, $14::boolean::int, case when $14 then now() end, $16, $18)
    on conflict (merge_request_id) do update set is_open = excluded.is_open, source_repository_id = excluded.source_repository_id,
      target_branch = excluded.target_branch, head_sha = excluded.head_sha, title = excluded.title, draft = excluded.draft,
      labels = excluded.labels, author_id = excluded.author_id,
      pusher_id = case when s.head_sha = excluded.head_sha then s.pusher_id when $15 then excluded.pusher_id end,
      actor_id = case when $14 then excluded.actor_id else s.actor_id end,
      reach = case when $14 then excluded.reach else s.reach end,
      wanted = s.wanted + $14::int, tried = case when $14 then 0 else s.tried end, happened = excluded.happened,
      due_at = case when $14 then now() when excluded.is_open then s.due_at end`,
  again: `
    update merge_request_subjects s set wanted = s.wanted + 1, tried = 0, due_at = now(), actor_id = $3, reach = $4,
      happened = array(select distinct x from unnest(s.happened || '{updated}'::text[]) x)
    where s.repository_id = $1 and s.number = $2 and s.is_open returning s.merge_request_id`,
  mergeable: `
    update merge_request_subjects set waits_for_merge = false, wanted = wanted + 1, tried = 0, due_at = now()
    where merge_request_id = $1 and waits_for_merge and is_open`,
  claim: `
    update merge_request_subjects s set due_at = clock_timestamp() + interval '5 minutes', tried = s.tried + 1
    from (select merge_request_id from merge_request_subjects where due_at <= clock_timestamp()
      order by due_at limit 1 for update skip locked) due
    where s.merge_request_id = due.merge_request_id
    returning s.*, (select username from users u where u.id = s.author_id) as author,
      (select username from users u where u.id = s.actor_id) as actor,
      (select r.deleted_at is null and not r.archived from repositories r where r.id = s.repository_id) as may_run`,
  later: `
    update merge_request_subjects set due_at = clock_timestamp() + make_interval(secs => $3) where merge_request_id = $1 and wanted = $2`,
  // What waits for the end of a conflict is still to be made for what happened, and stays due until its maker has looked whether it has
  // ended meanwhile. Of two who claimed it, the second makes nothing.
  finish: `
    update merge_request_subjects set due_at = case when $5 then due_at end, base_sha = $4, waits_for_merge = $5, happened = case when $5 then happened else '{}' end
    where merge_request_id = $1 and wanted = $2 and is_open = $3 and due_at is not null returning merge_request_id`,
  stillWaits:
    "update merge_request_subjects set due_at = null where merge_request_id = $1 and wanted = $2 and waits_for_merge",
  rest: "update merge_request_subjects set due_at = null, happened = '{}' where merge_request_id = $1 and wanted = $2",
  // Every one of them has Write now, or is trusted for a while; null is nobody, who is not.
  areTrusted: `
    select count(*) filter (where u.id is not null and not u.suspended and ${isTrustedSql}) = count(*) as trusted
    from unnest($2::text[]) as wanted(id) join repositories r on r.id = $1 left join users u on u.id = wanted.id`,
  findOfSource: `
    select number, target_branch, draft, title, labels, head_sha, (select username from users u where u.id = author_id) as author
    from merge_request_subjects
    where repository_id = $1 and source_repository_id = $1 and source_branch = $2 and is_open order by number`,
  lockSubject: `
    select is_open, head_sha, author_id from merge_request_subjects where repository_id = $1 and number = $2 for update`,
  findPushRuns: `
    select file, max(number) as number from pipelines
    where repository_id = $1 and sha = $2 and source = 'push' and ref = $3 and status <> 'skipped' group by file`,
  findWaiting: `
    select id, number, file, coalesce(head_sha, sha) as head_sha from pipelines
    where repository_id = $1 and merge_request_number = $2 and needs_approval and finished_at is null order by number`,
  findOpenRuns: `
    select id, number from pipelines where repository_id = $1 and merge_request_number = $2 and finished_at is null order by number`,
  findRepository: `
    select n.owner, n.name, r.default_branch as "defaultBranch",
      r.merge_request_pipelines = 'merged_result' as "onMergedResult" from repository_names n
    join repositories r on r.id = n.repository_id where r.id = $1`,
});

export type ClaimedSubject = RowOf<typeof statements.claim>;
export type EventRepository = RowOf<typeof statements.findRepository>;
export type SubjectBefore = RowOf<typeof statements.findBefore>;
export type SourceSubject = RowOf<typeof statements.findOfSource>;

/** A merge request as it is after a change. */
export interface MergeRequestSubject {
  id: string;
  repositoryId: string;
  number: number;
  isOpen: boolean;
  sourceRepositoryId: string | null;
  sourceBranch: string;
  targetBranch: string;
  headSha: string;
  title: string;
  draft: boolean;
  labels: readonly string[];
  authorId: string | null;
}

/** Who changed it. */
export interface SubjectCause {
  actorId: string | null;
  /** Of the credential. */
  reach: Reach;
  /** Who brought the head; null: a job, or nobody that is known. Absent: whoever did before, if it is the same. */
  bringerId?: string | null | undefined;
}

/** As it was before a change; undefined where nothing is known of it yet. */
export function findBefore(tx: Transaction, id: string): Promise<SubjectBefore | undefined> {
  return tx.one(statements.findBefore, [id]);
}

/** `wants`: runs. `happened`: all that did since some were made. */
export async function follow(
  tx: Transaction,
  subject: MergeRequestSubject,
  cause: SubjectCause & { wants: boolean; happened: readonly string[] },
): Promise<void> {
  const { actorId, reach, wants, bringerId, happened } = cause;
  await tx.query(statements.follow, [
    subject.id,
    subject.repositoryId,
    subject.number,
    subject.isOpen,
    subject.sourceRepositoryId,
    subject.sourceBranch,
    subject.targetBranch,
    subject.headSha,
    subject.title,
    subject.draft,
    [...subject.labels],
    subject.authorId,
    actorId,
    wants,
    bringerId !== undefined,
    reach,
    bringerId ?? null,
    [...happened],
  ]);
}

/** Asks for runs of what it has now. False: it is not open. */
export async function askAgain(
  tx: Transaction,
  { repositoryId, number }: { repositoryId: string; number: number },
  { actorId, reach }: { actorId: string; reach: Reach },
): Promise<boolean> {
  return (await tx.one(statements.again, [repositoryId, number, actorId, reach])) !== undefined;
}

/** Its branches do not conflict: asks for the runs that wait for that, if any do. */
export async function noteMergeable(db: Queryable, id: string): Promise<void> {
  await db.query(statements.mergeable, [id]);
}

/** Its branches still conflicted once it was written that its runs wait for the end of that: they do so until somebody says that it is over. */
export async function leaveWaiting(db: Queryable, claimed: Claimed): Promise<void> {
  await db.query(statements.stillWaits, [claimed.merge_request_id, claimed.wanted]);
}

/** One for which runs are due, for some minutes; after that it is due again. */
export function claimSubject(db: Queryable): Promise<ClaimedSubject | undefined> {
  return db.one(statements.claim);
}

type Claimed = Pick<ClaimedSubject, "merge_request_id" | "wanted" | "is_open">;

export async function delaySubject(db: Queryable, claimed: Claimed, seconds: number): Promise<void> {
  await db.query(statements.later, [claimed.merge_request_id, claimed.wanted, seconds]);
}

/** `waits`: its branches conflict, and the runs are made once they do not. */
export interface Finished {
  base: string | null;
  waits: boolean;
}

/** Locks it until the transaction ends. False: something else is wanted since, or somebody has made them. */
export async function finishSubject(
  tx: Transaction,
  { merge_request_id: id, wanted, is_open: isOpen }: Claimed,
  { base, waits }: Finished,
): Promise<boolean> {
  return (await tx.one(statements.finish, [id, wanted, isOpen, base, waits])) !== undefined;
}

/** No runs are to be made, until somebody asks again. */
export async function restSubject(db: Queryable, claimed: Claimed): Promise<void> {
  await db.query(statements.rest, [claimed.merge_request_id, claimed.wanted]);
}

export async function areTrusted(
  db: Queryable,
  repositoryId: string,
  userIds: readonly (string | null)[],
): Promise<boolean> {
  return (await db.one(statements.areTrusted, [repositoryId, [...userIds]]))?.trusted ?? false;
}

/** Open ones whose source is this branch of the repository itself. */
export function findOfSource(db: Queryable, repositoryId: string, branch: string): Promise<SourceSubject[]> {
  return db.query(statements.findOfSource, [repositoryId, branch]);
}

/** Until the transaction ends; undefined where there is none. Before a run of it is locked, so that nobody waits in a circle. */
export function lockSubject(tx: Transaction, repositoryId: string, number: number) {
  return tx.one(statements.lockSubject, [repositoryId, number]);
}

/** Numbers of the runs that a push of this commit to the branch made, by file; without those that were skipped. */
export async function findPushRuns(
  db: Queryable,
  repositoryId: string,
  { sha, ref }: { sha: string; ref: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query(statements.findPushRuns, [repositoryId, sha, ref]);
  return new Map(rows.map(({ file, number }) => [file, number ?? 0]));
}

/** Runs that wait for an approval. */
export function findWaiting(tx: Transaction, repositoryId: string, number: number) {
  return tx.query(statements.findWaiting, [repositoryId, number]);
}

/** All that are not over. */
export function findOpenRuns(tx: Transaction, repositoryId: string, number: number) {
  return tx.query(statements.findOpenRuns, [repositoryId, number]);
}

/** As events name it; undefined where it is gone. */
export function findRepository(db: Queryable, repositoryId: string): Promise<EventRepository | undefined> {
  return db.one(statements.findRepository, [repositoryId]);
}

/** Rows of `milestones`, with the numbers of their issues. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { MilestoneState } from "@forgeline/schemas/milestones/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MilestonesRows } from "./milestones.rows.ts";

export type MilestoneRow = MilestonesRows["findMilestone"];

export interface MilestoneFields {
  title: string;
  description: string;
  /** `YYYY-MM-DD`. */
  due_on: string | null;
  state: MilestoneState;
}

const columns = `m.id, m.title, m.description, m.due_on::text as due_on, m.state, m.closed_at, m.created_at, m.updated_at,
  n.open_issues, n.closed_issues`;
const inState = "from milestones m where m.repository_id = $1 and ($2::text = 'all' or m.state = $2)";
const counted = `
  cross join lateral (
    select count(*) filter (where w.state = 'open')::int as open_issues,
      count(*) filter (where w.state <> 'open')::int as closed_issues
    from work_items w where w.milestone_id = m.id and w.kind = 'issue') n`;

export const statements = defineStatements<MilestonesRows>({
  listMilestones: `
    select ${columns} from milestones m ${counted}
    where m.repository_id = $1 and ($2::text = 'all' or m.state = $2)
    order by m.due_on nulls last, lower(m.title), m.id limit $3 offset $4`,
  findMilestone: `select ${columns} from milestones m ${counted} where m.repository_id = $1 and m.id = $2`,
  holdMilestone: "select id, title from milestones where repository_id = $1 and id = $2 for key share",
  holdByTitle:
    "select id from milestones where repository_id = $1 and lower(title) = lower($2) for key share",
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  countMilestones: "select count(*)::int as count from milestones where repository_id = $1",
  findRival: "select id from milestones where repository_id = $1 and lower(title) = lower($2) and id <> $3",
  insertMilestone: `
    insert into milestones (id, repository_id, title, description, due_on) values ($1, $2, $3, $4, $5::date)`,
  updateMilestone: `
    update milestones set title = $3, description = $4, due_on = $5::date, state = $6,
      closed_at = case when $6 = 'closed' then coalesce(closed_at, now()) end, updated_at = now()
    where repository_id = $1 and id = $2`,
  deleteMilestone: "delete from milestones where repository_id = $1 and id = $2 returning title",
});

/** Those due first, then those due on no day. */
export async function listMilestones(
  db: Queryable,
  repositoryId: string,
  { state, ...page }: PageQuery & { state: MilestoneState | "all" },
): Promise<{ rows: MilestoneRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listMilestones, [repositoryId, state, page.per_page, offsetOf(page)]),
    countRows(db, inState, [repositoryId, state]),
  ]);
  return { rows, total };
}

export function findMilestone(
  db: Queryable,
  repositoryId: string,
  id: string,
): Promise<MilestoneRow | undefined> {
  return db.one(statements.findMilestone, [repositoryId, id]);
}

/** It is not deleted until the transaction ends. */
export function holdMilestone(
  tx: Transaction,
  repositoryId: string,
  id: string,
): Promise<MilestonesRows["holdMilestone"] | undefined> {
  return tx.one(statements.holdMilestone, [repositoryId, id]);
}

/** Until the transaction ends, so that titles stay free and nobody passes the most; false where it is gone. */
export async function holdRepository(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.holdRepository, [repositoryId])) !== undefined;
}

export async function countMilestones(tx: Transaction, repositoryId: string): Promise<number> {
  return (await tx.one(statements.countMilestones, [repositoryId]))?.count ?? 0;
}

/** Whether another one has this title. */
export async function hasRival(
  tx: Transaction,
  repositoryId: string,
  { id, title }: { id: string; title: string },
): Promise<boolean> {
  return (await tx.one(statements.findRival, [repositoryId, title, id])) !== undefined;
}

/** Open. */
export async function insertMilestone(
  tx: Transaction,
  repositoryId: string,
  milestone: Omit<MilestoneFields, "state"> & { id: string },
): Promise<void> {
  const { id, title, description, due_on } = milestone;
  await tx.query(statements.insertMilestone, [id, repositoryId, title, description, due_on]);
}

/** A closed one keeps the time when it was closed. */
export async function updateMilestone(
  tx: Transaction,
  repositoryId: string,
  milestone: MilestoneFields & { id: string },
): Promise<void> {
  const { id, title, description, due_on, state } = milestone;
  await tx.query(statements.updateMilestone, [repositoryId, id, title, description, due_on, state]);
}

/** Gives its title; undefined where it is gone. */
export async function deleteMilestone(
  tx: Transaction,
  repositoryId: string,
  id: string,
): Promise<string | undefined> {
  return (await tx.one(statements.deleteMilestone, [repositoryId, id]))?.title;
}

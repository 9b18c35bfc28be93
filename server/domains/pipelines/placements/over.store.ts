/** Placements whose stage is over, and those whose runner is lost to them. */
import { finalStatuses } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { placementSql } from "./placement-states.ts";
import type { OverRows } from "./over.rows.ts";

const { from, to } = placementSql;

const final = finalStatuses.map((status) => `'${status}'`).join(", ");
const hasOpen = (states: string) =>
  `exists (select from job_attempts a where a.placement_id = p.id and a.placement_id is not null and a.state in (${states}))`;

/** Nothing is queued or runs, and nothing has ended since. */
const idle = `(p.chosen_at < now() - $2 * interval '1 millisecond' and not ${hasOpen("'queued', 'offered', 'leased'")}
  and not exists (select from job_attempts e where e.pipeline_id = p.pipeline_id and e.placement_id = p.id
    and e.finished_at > now() - $2 * interval '1 millisecond'))`;

const isLost = `(r.id is null or r.revoked_at is not null
  or now() - greatest(r.last_seen_at, u.up_since) > $1 * interval '1 millisecond'
  or ((r.draining or r.agent_draining) and ${hasOpen("'queued'")} and not ${hasOpen("'offered', 'leased'")})
  or ${idle})`;

export const statements = defineStatements<OverRows>({
  endDone: `
    update placements p set state = ${to("end")} from pipelines r, stages s
    where p.state in (${from("end")}) and r.id = p.pipeline_id and s.id = p.stage_id
      and (r.sequence > p.sequence or s.status in (${final}))`,
  findLost: `
    select p.id from placements p left join runners r on r.id = p.runner_id cross join server_uptime u
    where p.state in (${from("lose")}) and ${isLost}
    union
    select p.id from job_attempts q join placements p on p.id = q.placement_id
    where q.placement_id is not null and q.state = 'queued' and p.lost`,
  findForgotten: `
    select p.id from placements p
    where p.runner_id = $1 and p.state in (${from("lose")}) and p.shared and p.id <> all($2)
      and not ${hasOpen("'offered', 'leased'")}
      and exists (select from job_attempts b where b.pipeline_id = p.pipeline_id and b.placement_id = p.id and b.begun)`,
  lockRun: "select from pipelines where id = (select pipeline_id from placements where id = $1) for update",
  lose: `
    update placements p set state = ${to("lose")}, lost = true where p.id = $1 and p.state in (${from("lose")}) returning id`,
  readLost: `
    select p.stage_id as "stageId", p.sequence, p.shared, p.repository_id as "repositoryId",
      exists (select from job_attempts b where b.pipeline_id = p.pipeline_id and b.placement_id = p.id and b.begun) as "hasBegun"
    from placements p where p.id = $1 and p.lost`,
  lockQueued: `select id from job_attempts where placement_id = $1 and state = 'queued' order by id for update`,
  movePlaced: "update job_attempts set placement_id = $2 where placement_id = $1 and state = 'queued'",
});

/** Those that need no runner any more; returns nothing, since runners ask. */
export async function endDone(db: Queryable): Promise<void> {
  await db.query(statements.endDone);
}

export async function findLost(
  db: Queryable,
  { reclaimMs, idleMs }: { reclaimMs: number; idleMs: number },
): Promise<string[]> {
  const rows = await db.query(statements.findLost, [reclaimMs, idleMs]);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** Those in whose workspace something has begun, and which the runner does not have any more. */
export async function findForgotten(
  db: Queryable,
  runnerId: string,
  kept: readonly string[],
): Promise<string[]> {
  const rows = await db.query(statements.findForgotten, [runnerId, [...kept]]);
  return rows.map(({ id }) => id);
}

export async function lockRunOfPlacement(tx: Transaction, placementId: string): Promise<void> {
  await tx.query(statements.lockRun, [placementId]);
}

/** Undefined: it is not lost. `isNew`: it was not before. */
export async function lose(
  tx: Transaction,
  placementId: string,
): Promise<(OverRows["readLost"] & { isNew: boolean }) | undefined> {
  const changed = await tx.one(statements.lose, [placementId]);
  const lost = await tx.one(statements.readLost, [placementId]);
  return lost && { ...lost, isNew: changed !== undefined };
}

export async function lockQueued(tx: Transaction, placementId: string): Promise<string[]> {
  const rows = await tx.query(statements.lockQueued, [placementId]);
  return rows.map(({ id }) => id);
}

export async function movePlaced(tx: Transaction, fromId: string, toId: string): Promise<void> {
  await tx.query(statements.movePlaced, [fromId, toId]);
}

/** What should never be there: slots of what is over, and free slots that a queue waits for. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { finalStatuses } from "@forgeline/schemas/pipelines/status.ts";
import type { RecoveryRows } from "./recovery.rows.ts";
import { slotSql } from "./slot-states.ts";

const { from } = slotSql;
const final = finalStatuses.map((status) => `'${status}'`).join(", ");
const mostAtOnce = 100;

export const statements = defineStatements<RecoveryRows>({
  findLeft: `
    select s.id, s.pipeline_id as "pipelineId", s.node_id as "nodeId" from concurrency_slots s
      join pipelines p on p.id = s.pipeline_id left join stages t on s.node = 'stage' and t.id = s.node_id
      left join jobs j on s.node = 'job' and j.id = s.node_id
    where p.status in (${final}) or (s.node = 'stage' and (t.id is null or t.status in (${final})))
      or (s.node = 'job' and (j.id is null or j.status in (${final})))
    limit ${mostAtOnce}`,
  findIdle: `
    select distinct owner_id as "ownerId", group_name as "group" from concurrency_slots w
    where w.state in (${from("grant")}) and not exists (select from concurrency_slots o
      where o.owner_id = w.owner_id and o.group_name = w.group_name and o.state in (${from("outrun")}))
    limit ${mostAtOnce}`,
  countSlots: "select state, count(*)::int as count from concurrency_slots group by state",
});

export type LeftSlot = RowOf<typeof statements.findLeft>;

/** Of runs, stages and jobs that are over. */
export function findLeft(db: Queryable): Promise<LeftSlot[]> {
  return db.query(statements.findLeft);
}

/** Groups in which somebody waits and nobody holds a slot. */
export function findIdle(db: Queryable) {
  return db.query(statements.findIdle);
}

export function countSlots(db: Queryable) {
  return db.query(statements.countSlots);
}

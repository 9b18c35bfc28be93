/** Slots that wait for each other in a circle, and would do so forever. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { CirclesRows } from "./circles.rows.ts";
import { slotSql } from "./slot-states.ts";

const { from } = slotSql;
const waits = `state in (${from("grant")})`;
const holds = `state in (${from("outrun")})`;
const follows = "p.finished_at is null and a.state = 'following'";
const expects = `state in (${from("ask")})`;

/** More than this is not looked at: the queue then waits as long as it takes, for all to see. */
const mostSteps = 10_000;

export const statements = defineStatements<CirclesRows>({
  // From a slot that waits to those before it; from one that is held or expected to what its run or stage waits for before it can go on. With
  // several slots in a group another holder may end first, so such groups close no circle. What holds a slot goes on only when the runs that
  // its jobs have started end.
  findCircle: `
    with recursive chain as (
      select s.id, s.group_name, 0 as depth from concurrency_slots s where s.pipeline_id = $1 and s.node_id = $2 and s.${waits}
      union
      select n.id, n.group_name, c.depth + 1 from chain c join concurrency_slots s on s.id = c.id cross join lateral (
        select o.id, o.group_name from concurrency_slots o
        where s.${waits} and s.slot_limit = 1 and o.owner_id = s.owner_id and o.group_name = s.group_name and o.id <> s.id
          and (o.${holds} or (o.place < s.place and (o.${waits}
            or (o.${expects} and not o.gated and s.wait_order = 'created' and o.pipeline_id <> s.pipeline_id))))
        union all
        select w.id, w.group_name from concurrency_slots w left join jobs j on w.node = 'job' and j.id = w.node_id
        where s.${holds} and w.pipeline_id = s.pipeline_id and w.${waits} and w.id <> s.id
          and (s.node = 'pipeline' or (s.node = 'stage' and j.stage_id = s.node_id))
        union all
        select w.id, w.group_name from concurrency_slots w
        where s.${expects} and w.pipeline_id = s.pipeline_id and w.${waits}
          and (w.node = 'pipeline' or (w.node = 'stage' and s.node = 'job'
            and exists (select from jobs j where j.id = s.node_id and j.stage_id = w.node_id)))
        union all
        select w.id, w.group_name from (
          with recursive below as (
            select p.id from pipelines p join job_attempts a on a.id = p.parent_attempt_id join jobs j on j.id = a.job_id
            where s.${holds} and p.parent_id = s.pipeline_id and ${follows}
              and (s.node = 'pipeline' or s.node_id in (j.id, j.stage_id))
            union all
            select p.id from below join pipelines p on p.parent_id = below.id join job_attempts a on a.id = p.parent_attempt_id
            where ${follows}
          ) select id from below) b join concurrency_slots w on w.pipeline_id = b.id and w.${waits}
        ) n
      where c.depth < 20
    ), bounded as (select * from chain limit ${mostSteps})
    select exists (select from bounded b join bounded w on w.depth = 0 and w.id = b.id where b.depth > 0) as "isCircle",
      array(select distinct group_name from bounded order by 1 limit 5) as groups`,
});

/** Names of the groups, if the slot that waits for this node would wait for itself; else null. */
export async function findCircle(
  tx: Transaction,
  pipelineId: string,
  nodeId: string,
): Promise<string[] | null> {
  const row = await tx.one(statements.findCircle, [pipelineId, nodeId]);
  return row?.isCircle ? (row.groups ?? []) : null;
}

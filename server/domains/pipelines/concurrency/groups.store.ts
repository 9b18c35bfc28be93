/** Concurrency groups as people read them. Nothing here decides who may see them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { GroupsRows } from "./groups.rows.ts";
import { slotSql } from "./slot-states.ts";

const { from } = slotSql;

/** Of a queue or a list of holders. */
const mostShown = 100;

const held = `state in (${from("outrun")})`;
/** A slot that is superseded is in nobody's way any more. */
const queued = `state in (${from("ask")}, ${from("grant")})`;

const slots = (condition: string) => `
  (select coalesce(json_agg(c order by c.place), '[]') from (
     select s.id, s.place, s.state, coalesce(s.held_at, s.asked_at, s.created_at) as since, s.repository_id, s.scope = 'repo' or r.owner_id = s.owner_id as is_owners, s.node, s.superseded_reason,
       n.full_name, p.id as pipeline_id, p.number, coalesce(t.name, u.name) as stage, j.id as job_id, j.key, j.name as job_name
     from concurrency_slots s join repositories r on r.id = s.repository_id
       join repository_names n on n.repository_id = r.id join pipelines p on p.id = s.pipeline_id
       left join jobs j on s.node = 'job' and j.id = s.node_id left join stages t on t.id = j.stage_id
       left join stages u on s.node = 'stage' and u.id = s.node_id
     where s.owner_id = g.owner_id and s.group_name = g.group_name and s.${condition}
     order by s.place limit ${mostShown}) c)`;

const ofRepository = `from (select distinct scope, owner_id, group_name from concurrency_slots where repository_id = $1) g`;
const ofOrganization = `from (select distinct scope, owner_id, group_name from concurrency_slots
  where owner_id = $1 and scope = 'org') g`;

const page = (groups: string) => `
  select g.scope, g.group_name as "group",
    (select max(slot_limit) from concurrency_slots s where s.owner_id = g.owner_id and s.group_name = g.group_name) as "limit",
    (select count(*)::int from concurrency_slots s
     where s.owner_id = g.owner_id and s.group_name = g.group_name and s.${queued}) as queue_length,
    ${slots(held)} as holders, ${slots(queued)} as queue
  from (select * ${groups} order by group_name, scope limit $2 offset $3) g order by g.group_name, g.scope`;

export const statements = defineStatements<GroupsRows>({
  listOfRepository: page(ofRepository),
  listOfOrganization: page(ofOrganization),
  readWaits: `
    select g.node_id as "nodeId", g.scope, g.group_name as "group", g.asked_at as since,
      (select count(*)::int from concurrency_slots o
       where o.owner_id = g.owner_id and o.group_name = g.group_name and o.place < g.place and (o.state in (${from("grant")})
         or (o.state in (${from("ask")}) and not o.gated and g.wait_order = 'created' and o.pipeline_id <> g.pipeline_id))) as ahead,
      ${slots(held)} as holders
    from concurrency_slots g where g.pipeline_id = $1 and g.state in (${from("grant")})`,
});

export type GroupRow = RowOf<typeof statements.listOfRepository>;
export type SlotRow = GroupRow["holders"][number];
export type WaitRow = RowOf<typeof statements.readWaits>;

export async function listOfRepository(
  db: Queryable,
  repositoryId: string,
  query: PageQuery,
): Promise<{ rows: GroupRow[]; total: number }> {
  const rows = await db.query(statements.listOfRepository, [repositoryId, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, ofRepository, [repositoryId]) };
}

export async function listOfOrganization(
  db: Queryable,
  organizationId: string,
  query: PageQuery,
): Promise<{ rows: GroupRow[]; total: number }> {
  const rows = await db.query(statements.listOfOrganization, [
    organizationId,
    query.per_page,
    offsetOf(query),
  ]);
  return { rows, total: await countRows(db, ofOrganization, [organizationId]) };
}

/** What the run, its stages and its jobs wait for. */
export function readWaits(db: Queryable, pipelineId: string): Promise<WaitRow[]> {
  return db.query(statements.readWaits, [pipelineId]);
}

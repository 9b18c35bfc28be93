/** Rows of concurrency slots. Whoever changes a group holds its lock until the transaction ends. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { slotSql } from "./slot-states.ts";
import type { SlotsRows } from "./slots.rows.ts";
import type { WantedSlot } from "./wanted-slots.ts";

const { from, to } = slotSql;

const key = 'owner_id as "ownerId", group_name as "group"';
const inGroup = "s.owner_id = $1 and s.group_name = $2";

export const statements = defineStatements<SlotsRows>({
  // In one order for everyone, so that two who need several groups never wait for each other.
  lockGroups: `
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended('slots ' || g.owner_id || ' ' || g.group_name, 0) as k
      from unnest($1::text[], $2::text[]) as g(owner_id, group_name) order by 1) keys`,
  findOwner: `
    select r.id as "repositoryId", g.id as "organizationId", coalesce(g.shared_concurrency, false) as allowed
    from repositories r left join organizations g on g.id = r.owner_id where r.id = $1`,
  readOfRun: `
    select id, node_id as "nodeId", ${key}, scope, state, superseded_reason as reason
    from concurrency_slots where pipeline_id = $1`,
  expect: `
    insert into concurrency_slots (id, scope, owner_id, group_name, repository_id, pipeline_id, node, node_id, slot_limit,
      wait_order, newest_only, cancel_running, gated)
    select c.id, c.scope, c.owner_id, c.group_name, $1, $2, c.node, c.node_id, c.slot_limit, c.wait_order, c.newest_only,
      c.cancel_running, c.gated
    from rows from (jsonb_to_recordset($3::jsonb) as (id text, scope text, owner_id text, group_name text, node text,
      node_id text, slot_limit int, wait_order text, newest_only boolean, cancel_running boolean,
      gated boolean))
      with ordinality as c(id, scope, owner_id, group_name, node, node_id, slot_limit, wait_order, newest_only,
        cancel_running, gated, n)
    order by c.n on conflict (pipeline_id, node_id) do nothing`,
  countIn:
    "update concurrency_slots set gated = false where pipeline_id = $1 and gated and node_id = any($2)",
  ask: `
    update concurrency_slots set state = ${to("ask")}, asked_at = now()
    where pipeline_id = $1 and node_id = $2 and state in (${from("ask")}) returning id`,
  // Older ones of other runs, and the one that asks itself if a newer one only wants the newest to wait.
  supersede: `
    with asking as (select * from concurrency_slots where id = $3), found as (
      select s.id, n.pipeline_id as by_pipeline from concurrency_slots s cross join asking a
      cross join lateral (
        select a.pipeline_id where s.pipeline_id <> a.pipeline_id and s.place < a.place and (
          (s.state in (${from("supersede")}) and a.newest_only)
          or (s.state in (${from("outrun")}) and a.cancel_running))
        union all
        (select n.pipeline_id from concurrency_slots n
         where s.id = a.id and n.owner_id = $1 and n.group_name = $2 and n.state in (${from("supersede")}) and n.newest_only
           and n.place > a.place and n.pipeline_id <> a.pipeline_id order by n.place desc limit 1)
        limit 1) n
      where ${inGroup} and s.superseded_reason is null
    )
    update concurrency_slots s set
      state = case when s.state in (${from("outrun")}) then ${to("outrun")} else ${to("supersede")} end,
      superseded_reason = case when b.repository_id = s.repository_id then 'superseded:#' || b.number else 'superseded' end
    from found join pipelines b on b.id = found.by_pipeline, pipelines p
    where s.id = found.id and p.id = s.pipeline_id
    returning s.id, s.node, s.node_id as "nodeId", s.pipeline_id as "pipelineId", s.repository_id as "repositoryId", p.sequence,
      s.superseded_reason as reason`,
  grantNext: `
    with head as (
      select * from concurrency_slots s where ${inGroup} and s.state in (${from("grant")}) order by s.place limit 1
    )
    update concurrency_slots s set state = ${to("grant")}, held_at = now()
    from head h, pipelines p
    where s.id = h.id and p.id = s.pipeline_id
      and (select count(*) from concurrency_slots o
        where o.owner_id = $1 and o.group_name = $2 and o.state = 'held') < h.slot_limit
      and not (h.wait_order = 'created' and exists (select from concurrency_slots e
        where e.owner_id = $1 and e.group_name = $2 and e.state = 'expected' and not e.gated
          and e.place < h.place and e.pipeline_id <> h.pipeline_id))
    returning s.id, s.node, s.node_id as "nodeId", s.pipeline_id as "pipelineId", s.repository_id as "repositoryId", p.sequence,
      null::text as reason, s.scope, extract(epoch from now() - s.asked_at)::float8 as "waitedSeconds"`,
  groupsOfNodes: `
    select distinct ${key} from concurrency_slots where pipeline_id = $1 and node_id = any($2)`,
  endOfNodes: `delete from concurrency_slots where pipeline_id = $1 and node_id = any($2)`,
  readSuperseded: `
    select node, node_id as "nodeId", superseded_reason as superseded from concurrency_slots
    where pipeline_id = $1 and superseded_reason is not null`,
});

export type Group = RowOf<typeof statements.groupsOfNodes>;
export type RunSlot = RowOf<typeof statements.readOfRun>;
/** A slot whose run must be told of a change, or that was asked for just now. */
export type ChangedSlot = RowOf<typeof statements.supersede>;
export type GrantedSlot = RowOf<typeof statements.grantNext>;

/** Until the transaction ends. A second call for groups that come before the first may deadlock: take all at once, and before any of their rows. */
export async function lockGroups(tx: Transaction, groups: readonly Group[]): Promise<void> {
  await tx.query(statements.lockGroups, [groups.map((one) => one.ownerId), groups.map((one) => one.group)]);
}

/** Whose groups the runs of the repository can use. */
export function findOwner(tx: Transaction, repositoryId: string) {
  return tx.one(statements.findOwner, [repositoryId]);
}

export function readOfRun(db: Queryable, pipelineId: string): Promise<RunSlot[]> {
  return db.query(statements.readOfRun, [pipelineId]);
}

/** Slots that are there already stay as they are. */
export async function expectSlots(
  tx: Transaction,
  run: { repositoryId: string; pipelineId: string },
  slots: readonly (WantedSlot & { id: string; ownerId: string; gated: boolean })[],
): Promise<void> {
  const rows = slots.map((slot) => ({
    id: slot.id,
    scope: slot.scope,
    owner_id: slot.ownerId,
    group_name: slot.group,
    node: slot.node,
    node_id: slot.nodeId,
    slot_limit: slot.limit,
    wait_order: slot.order,
    newest_only: slot.waiting === "newest",
    cancel_running: slot.cancelRunning,
    gated: slot.gated,
  }));
  await tx.query(statements.expect, [run.repositoryId, run.pipelineId, JSON.stringify(rows)]);
}

/** From now on, later runs wait for these. */
export async function countIn(
  tx: Transaction,
  pipelineId: string,
  nodeIds: readonly string[],
): Promise<void> {
  await tx.query(statements.countIn, [pipelineId, nodeIds]);
}

/** Puts it into the queue; its id. */
export async function askForSlot(tx: Transaction, pipelineId: string, nodeId: string): Promise<string> {
  const row = await tx.one(statements.ask, [pipelineId, nodeId]);
  if (!row) throw new Error(`the slot of ${nodeId} is not there to be asked for`);
  return row.id;
}

/** What has to give way to the slot that asks. */
export function supersede(
  tx: Transaction,
  { ownerId, group }: Group,
  askingId: string,
): Promise<ChangedSlot[]> {
  return tx.query(statements.supersede, [ownerId, group, askingId]);
}

/** The first of the queue gets a slot; undefined if there is no room or the queue is empty. */
export function grantNext(tx: Transaction, { ownerId, group }: Group): Promise<GrantedSlot | undefined> {
  return tx.one(statements.grantNext, [ownerId, group]);
}

export function groupsOfNodes(
  tx: Transaction,
  pipelineId: string,
  nodeIds: readonly string[],
): Promise<Group[]> {
  return tx.query(statements.groupsOfNodes, [pipelineId, [...nodeIds]]);
}

export async function endOfNodes(
  tx: Transaction,
  pipelineId: string,
  nodeIds: readonly string[],
): Promise<void> {
  await tx.query(statements.endOfNodes, [pipelineId, [...nodeIds]]);
}

/** What the workflow of the run was told to cancel. */
export function readSuperseded(tx: Transaction, pipelineId: string) {
  return tx.query(statements.readSuperseded, [pipelineId]);
}

/** Writes issues and merge requests: numbers, texts, states, labels, assignees, and their timeline. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { TimelineKind } from "@forgeline/schemas/work-items/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { WorkItemsRows } from "./work-items.rows.ts";

interface Known {
  /** A function gives the actor, and the statement builds the source; only the kinds of the contract are written. */
  listEvents: {
    actor: UserSnapshot | null;
    kind: TimelineKind;
    details: Record<string, string | null>;
    source: EventSource | null;
  };
}

/** What named the item, or closed it, as it is now. */
export interface EventSource {
  kind: ItemKind;
  number: number;
  title: string;
  state: "open" | "closed" | "merged";
  full_name: string;
}

const sourceLevel = levelSql({ repository: "sr", user: "$4::text", admin: "$5::boolean" });
/** Only what the viewer sees is said of other repositories, and of a private one only the kinds that the credential may read. */
const seenSources = `(e.source_id is not null and exists (select 1 from work_items s where s.id = e.source_id
      and ((s.repository_id = w.repository_id and (s.kind = any ($7::text[])
          or exists (select 1 from repositories hr where hr.id = w.repository_id and hr.visibility = 'public')))
        or (s.repository_id <> w.repository_id and exists (select 1 from repositories sr where sr.id = s.repository_id
          and ${sourceLevel} is not null and ($6::text[] is null or sr.id = any ($6) or sr.visibility = 'public'))))))`;
const seesThere = `${sourceLevel} is not null and ($6::text[] is null or sr.id = any ($6) or sr.visibility = 'public')`;
/** Where the issue was when the event happened: what it left first after that. Null: here. */
const formerPlace = `(select t.details->>'repository_id' from work_item_events t
        where t.work_item_id = e.work_item_id and t.kind = 'transferred' and t.id > e.id order by t.id limit 1)`;
const seenEvents = `(e.kind not in ('referenced', 'marked_duplicate', 'unmarked_duplicate', 'got_duplicate') or ${seenSources})`;

const readLevel = levelSql({ repository: "r", user: "u.id", admin: "false" });

export const statements = defineStatements<WorkItemsRows, Known>({
  takeNumber: `
    insert into work_item_numbers (repository_id, last) values ($1, 1)
    on conflict (repository_id) do update set last = work_item_numbers.last + 1 returning last`,
  insertItem: `
    insert into work_items (id, repository_id, number, kind, title, body, author_id) values ($1, $2, $3, $4, $5, $6, $7)`,
  lockItem: `
    select w.id, w.repository_id, w.number, w.kind, w.title, w.body, w.state, w.state_reason, w.author_id, w.locked, w.milestone_id, w.duplicate_of,
      w.due_on::text as due_on, w.pinned_at, w.comments_count
    from work_items w where w.repository_id = $1 and w.number = $2 and w.kind = $3 for no key update`,
  setTexts: `
    update work_items set title = $2, body = $3, edited_at = now(), updated_at = now() where id = $1`,
  setState: `
    update work_items set state = $2, state_reason = $3, closed_at = case when $2 = 'open' then null else now() end,
      closed_by = case when $2 = 'open' then null else $4 end, duplicate_of = $5, updated_at = now() where id = $1`,
  setMilestone: "update work_items set milestone_id = $2, updated_at = now() where id = $1",
  setDue: "update work_items set due_on = $2::date, updated_at = now() where id = $1",
  setLocked: "update work_items set locked = $2, updated_at = now() where id = $1",
  setPinned: `
    update work_items set pinned_at = case when $2::boolean then now() end, updated_at = now() where id = $1`,
  countPinned:
    "select count(*)::int as count from work_items where repository_id = $1 and pinned_at is not null",
  touch: "update work_items set updated_at = now() where id = $1",
  addComments: `
    update work_items set comments_count = comments_count + $2, updated_at = now() where id = $1`,
  deleteItem: "delete from work_items where id = $1",
  labelsOf: `
    select l.id, l.name, l.color from work_item_labels wl join labels l on l.id = wl.label_id
    where wl.work_item_id = $1 order by lower(l.name)`,
  addLabels: `
    insert into work_item_labels (work_item_id, label_id) select $1, unnest($2::text[]) on conflict do nothing`,
  removeLabels: "delete from work_item_labels where work_item_id = $1 and label_id = any ($2::text[])",
  assigneesOf: `
    select u.id, u.username from work_item_assignees wa join users u on u.id = wa.user_id
    where wa.work_item_id = $1 order by lower(u.username)`,
  addAssignees: `
    insert into work_item_assignees (work_item_id, user_id) select $1, unnest($2::text[]) on conflict do nothing`,
  removeAssignees: "delete from work_item_assignees where work_item_id = $1 and user_id = any ($2::text[])",
  // Whoever belongs to the repository or its organization, and the author: not everyone who may read a public one.
  findAssignable: `
    select u.id, u.username from users u join repositories r on r.id = $1
    where lower(u.username) = any ($2::text[]) and not u.suspended and ${readLevel} is not null
      and (r.visibility <> 'public' or ${readLevel} >= 'triage' or u.id = $3
        or exists (select 1 from organization_members om where om.organization_id = r.owner_id and om.user_id = u.id)
        or exists (select 1 from collaborators c where c.repository_id = r.id and c.user_id = u.id))`,
  insertEvents: `
    insert into work_item_events (work_item_id, actor_id, kind, details, source_id)
    select $1, $2, e.kind, e.details, e.source from jsonb_to_recordset($3::jsonb) as e (kind text, details jsonb, source text)`,
  insertMentions: `
    insert into work_item_events (work_item_id, actor_id, kind, source_id)
    select t.id, $2, 'referenced', $1 from unnest($3::text[]) as t (id)
    where not exists (select 1 from work_item_events e
      where e.source_id = $1 and e.work_item_id = t.id and e.kind = 'referenced')`,
  // Once for each source, and nothing in a repository in which nothing changes.
  insertGotDuplicate: `
    insert into work_item_events (work_item_id, actor_id, kind, source_id)
    select w.id, $2, 'got_duplicate', $1 from work_items w join repositories r on r.id = w.repository_id
    where w.id = $3 and not r.archived and not exists (select 1 from work_item_events e
      where e.source_id = $1 and e.work_item_id = w.id and e.kind = 'got_duplicate')`,
  listEvents: `
    select e.id, e.kind, e.details, e.created_at, user_snapshot(e.actor_id) as actor,
      case when e.kind = 'transferred' then (select fn.full_name || '#' || (e.details->>'number')
        from repositories sr join repository_names fn on fn.repository_id = sr.id where sr.id = e.details->>'repository_id'
          and ${seesThere}) end as origin,
      e.kind = 'closed' and e.details->>'commit' is not null and ${formerPlace} is distinct from null as elsewhere,
      case when e.kind = 'closed' and e.details->>'commit' is not null then (select fn.full_name
        from repositories sr join repository_names fn on fn.repository_id = sr.id where sr.id = ${formerPlace}
          and ${seesThere}) end as commit_repository,
      case when ${seenSources} then (select jsonb_build_object('kind', s.kind, 'number', s.number, 'title', s.title,
          'state', s.state, 'full_name', n.full_name)
        from work_items s join repository_names n on n.repository_id = s.repository_id where s.id = e.source_id) end as source
    from work_item_events e join work_items w on w.id = e.work_item_id
    where w.repository_id = $1 and w.number = $2 and w.kind = $3 and ${seenEvents} order by e.id limit $8 offset $9`,
  countEvents: `
    select (select count(*)::int from work_item_events e where e.work_item_id = w.id and ${seenEvents}) as total
    from work_items w where w.repository_id = $1 and w.number = $2 and w.kind = $3`,
  findItem:
    "select id, author_id, locked, comments_count from work_items where repository_id = $1 and number = $2 and kind = $3",
});

export type ItemKind = "issue" | "merge_request";
export type FoundItem = WorkItemsRows["findItem"];
export type LockedItem = WorkItemsRows["lockItem"];
export type EventRow = RowOf<typeof statements.listEvents>;

export interface NewItem {
  id: string;
  repositoryId: string;
  kind: ItemKind;
  title: string;
  body: string;
  authorId: string;
}

export interface ItemAddress {
  repositoryId: string;
  number: number;
  kind: ItemKind;
}

/** The number it got. Others that create one in the same repository wait until the transaction ends. */
export async function insertItem(tx: Transaction, item: NewItem): Promise<number> {
  const number = await takeNumber(tx, item.repositoryId);
  const { id, repositoryId, kind, title, body, authorId } = item;
  await tx.query(statements.insertItem, [id, repositoryId, number, kind, title, body, authorId]);
  return number;
}

/** Others that take one in the same repository wait until the transaction ends. */
export async function takeNumber(tx: Transaction, repositoryId: string): Promise<number> {
  const taken = await tx.one(statements.takeNumber, [repositoryId]);
  return taken!.last;
}

/** Others that change it wait until the transaction ends. */
export function lockItem(tx: Transaction, { repositoryId, number, kind }: ItemAddress) {
  return tx.one(statements.lockItem, [repositoryId, number, kind]);
}

export function findItem(db: Queryable, { repositoryId, number, kind }: ItemAddress) {
  return db.one(statements.findItem, [repositoryId, number, kind]);
}

export interface NewEvent {
  kind: TimelineKind;
  details?: Record<string, string | null>;
  /** The item that made it happen. */
  sourceId?: string | undefined;
}

export async function insertEvents(
  tx: Transaction,
  { itemId, actorId }: { itemId: string; actorId: string | null },
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ kind, details = {}, sourceId }) => ({ kind, details, source: sourceId }));
  await tx.query(statements.insertEvents, [itemId, actorId, JSON.stringify(rows)]);
}

export interface Mentioned {
  sourceId: string;
  actorId: string | null;
  targetIds: readonly string[];
}

export async function insertMentions(
  tx: Transaction,
  { sourceId, actorId, targetIds }: Mentioned,
): Promise<void> {
  if (targetIds.length === 0) return;
  await tx.query(statements.insertMentions, [sourceId, actorId, targetIds]);
}

export interface EventViewer {
  userId: string | null;
  isAdmin: boolean;
  /** Null: not limited. */
  repositoryIds: readonly string[] | null;
  /** Of the same repository, where it is not public. */
  kinds: readonly ItemKind[];
}

/** Oldest first, as far as the viewer sees what they speak of; undefined if there is no such item. */
export async function listEvents(
  db: Queryable,
  { address, viewer }: { address: ItemAddress; viewer: EventViewer },
  { page, per_page: perPage }: PageQuery,
): Promise<{ rows: EventRow[]; total: number } | undefined> {
  const { repositoryId, number, kind } = address;
  const { userId, isAdmin, repositoryIds, kinds } = viewer;
  const asked = [repositoryId, number, kind, userId, isAdmin, repositoryIds, kinds];
  const [rows, counted] = await Promise.all([
    db.query(statements.listEvents, [...asked, perPage, (page - 1) * perPage]),
    db.one(statements.countEvents, asked),
  ]);
  return counted && { rows, total: counted.total };
}

export async function findNamesOn(
  tx: Transaction,
  itemId: string,
): Promise<{ labels: string[]; assignees: string[] }> {
  const labels = await tx.query(statements.labelsOf, [itemId]);
  const assignees = await tx.query(statements.assigneesOf, [itemId]);
  return { labels: labels.map(({ name }) => name), assignees: assignees.map(({ username }) => username) };
}

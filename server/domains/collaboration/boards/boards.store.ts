/** Boards, their columns, and the issues in these. */
import type { BoardColumnId } from "@forgeline/schemas/boards/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { ItemLabel } from "@forgeline/schemas/work-items/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, unpreparedOf, type RowOf } from "../../../platform/db/statement.ts";
import type { Condition } from "../search/conditions.ts";
import { conditionsSql } from "../search/conditions.store.ts";
import { itemColumns, type KnownOfItem } from "../work-items/columns.store.ts";
import type { BoardsRows } from "./boards.rows.ts";

export interface LabelOfColumn extends ItemLabel {
  max_issues: number | null;
}

interface WithLabels {
  /** Objects that the statement builds. */
  labels: LabelOfColumn[];
}
interface Known {
  /** Why is said there. */
  listBoards: WithLabels;
  /** As above. */
  findBoard: WithLabels;
  /** As in the list of issues. */
  listOpen: KnownOfItem;
}

const columns = `b.id, b.name, b.filter, b.created_at, b.updated_at,
    (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color, 'description', l.description,
        'max_issues', bc.max_issues) order by bc.position), '[]')
      from board_columns bc join labels l on l.id = bc.label_id where bc.board_id = b.id) as labels`;

/** `$1` is the repository and `$2` the board, in each. */
const issues = `from work_items w left join board_places p on p.board_id = $2 and p.work_item_id = w.id
    where w.repository_id = $1 and w.kind = 'issue'`;
const byHand = "coalesce(p.place, -w.number), w.number desc";
const inColumn = {
  open: `w.state = 'open' and not exists (select 1 from work_item_labels wl join board_columns bc on bc.label_id = wl.label_id
      where wl.work_item_id = w.id and bc.board_id = $2)`,
  label: (p: string) =>
    `w.state = 'open' and exists (select 1 from work_item_labels wl where wl.work_item_id = w.id and wl.label_id = ${p})`,
  closed: "w.state = 'closed'",
};
/** `next` is the number of the next parameter: after the page comes who looks at it. */
const listSql = (place: string, order: string, next: number) =>
  `select ${itemColumns(`$${next + 2}`)} ${place} order by ${order} limit $${next} offset $${next + 1}`;

export const statements = defineStatements<BoardsRows, Known>({
  listBoards: `select ${columns} from boards b where b.repository_id = $1 order by lower(b.name) limit $2 offset $3`,
  findBoard: `select ${columns} from boards b where b.repository_id = $1 and b.id = $2`,
  lockBoard: "select id from boards where repository_id = $1 and id = $2 for no key update",
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  countBoards: "select count(*)::int as count from boards where repository_id = $1",
  findRival: "select id from boards where repository_id = $1 and lower(name) = lower($2) and id <> $3",
  insertBoard: "insert into boards (id, repository_id, name, filter) values ($1, $2, $3, $4)",
  updateBoard: "update boards set name = $2, filter = $3, updated_at = now() where id = $1",
  deleteBoard: "delete from boards where repository_id = $1 and id = $2 returning name",
  removeColumns: "delete from board_columns where board_id = $1 and label_id <> all($2::text[])",
  insertColumns: `
    insert into board_columns (board_id, label_id, position)
    select $1, c.label_id, c.place - 1 from unnest($2::text[]) with ordinality as c (label_id, place)
    on conflict (board_id, label_id) do update set position = excluded.position`,
  limitColumn: "update board_columns set max_issues = $3 where board_id = $1 and label_id = $2",
  labelsOfItem: `
    select l.id, l.name from work_item_labels wl join labels l on l.id = wl.label_id where wl.work_item_id = $1
    order by lower(l.name)`,
  listOpen: listSql(`${issues} and ${inColumn.open}`, byHand, 3),
});

export type BoardRow = RowOf<typeof statements.findBoard>;
export type BoardIssueRow = RowOf<typeof statements.listOpen>;

export async function listBoards(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: BoardRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listBoards, [repositoryId, page.per_page, offsetOf(page)]),
    countRows(db, "from boards where repository_id = $1", [repositoryId]),
  ]);
  return { rows, total };
}

export function findBoard(db: Queryable, repositoryId: string, id: string): Promise<BoardRow | undefined> {
  return db.one(statements.findBoard, [repositoryId, id]);
}

/** Until the transaction ends others that change it, or move something on it, wait. False where it is gone. */
export async function lockBoard(tx: Transaction, repositoryId: string, id: string): Promise<boolean> {
  return (await tx.one(statements.lockBoard, [repositoryId, id])) !== undefined;
}

/** In place of those that are there; those that stay keep their limits. */
export async function setColumns(
  tx: Transaction,
  boardId: string,
  labelIds: readonly string[],
): Promise<void> {
  await tx.query(statements.removeColumns, [boardId, labelIds]);
  await tx.query(statements.insertColumns, [boardId, labelIds]);
}

export interface ColumnIssues extends PageQuery {
  boardId: string;
  column: BoardColumnId;
  conditions: readonly Condition[];
  viewerId: string | null;
}

export async function listColumn(
  db: Queryable,
  repositoryId: string,
  { boardId, column, conditions, viewerId, ...page }: ColumnIssues,
): Promise<{ rows: BoardIssueRow[]; total: number }> {
  const params: unknown[] = [repositoryId, boardId];
  const isOf =
    column === "open" || column === "closed" ? inColumn[column] : inColumn.label(`$${params.push(column)}`);
  const parts = [isOf, ...conditionsSql(conditions, { params, repository: "$1" })];
  const place = `${issues} and ${parts.join(" and ")}`;
  const order = column === "closed" ? "w.closed_at desc, w.number desc" : byHand;
  const statement = unpreparedOf(statements.listOpen, listSql(place, order, params.length + 1));
  const [rows, total] = await Promise.all([
    db.query(statement, [...params, page.per_page, offsetOf(page), viewerId]),
    countRows(db, { unprepared: place }, params),
  ]);
  return { rows, total };
}

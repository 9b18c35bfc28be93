/** Boards as maintainers set them up, and as people move issues on them. */
import {
  maxBoards,
  type Board,
  type BoardCreate,
  type BoardMove,
  type BoardUpdate,
  type ColumnLimit,
} from "@forgeline/schemas/boards/resource.ts";
import type { BoardIssuesQuery } from "@forgeline/schemas/boards/routes.ts";
import type { BoardColumnId } from "@forgeline/schemas/boards/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Issue, IssueUpdate } from "@forgeline/schemas/issues/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { IssueEdits } from "../issues/edits.ts";
import { presentIssue } from "../issues/present.ts";
import type { IssueService } from "../issues/service.ts";
import type { LabelService } from "../labels/service.ts";
import { askerOf, readAsked } from "../search/asked.ts";
import { nobody } from "../search/read-query.ts";
import { listWithinTime } from "../search/within-time.ts";
import { viewerOf } from "../work-items/may-change.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import * as store from "./boards.store.ts";
import type { BoardRow } from "./boards.store.ts";
import { columnChange, filterConditions } from "./columns.ts";
import { place, type Neighbour } from "./places.store.ts";
import { presentBoard } from "./present.ts";

type Listed<Item> = Promise<{ items: Item[]; total: number }>;

export interface BoardService {
  list(actor: Actor, granted: GrantedRepository, page: PageQuery): Listed<Board>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedRepository, id: string): Promise<Board>;
  /** Throws `conflict` for a name that is taken and past the most, `validation_failed` for unknown labels and a filter that says nothing. */
  create(actor: Actor, granted: GrantedRepository, wanted: BoardCreate): Promise<Board>;
  /** As `create`; also throws `not_found`. */
  update(actor: Actor, granted: GrantedRepository, wanted: BoardUpdate & { id: string }): Promise<Board>;
  /** Throws `not_found`. */
  remove(actor: Actor, granted: GrantedRepository, id: string): Promise<void>;
  /** Throws `not_found` for a column that the board does not have, `validation_failed` for a query that cannot be understood. */
  issues(
    actor: Actor,
    granted: GrantedRepository,
    wanted: BoardIssuesQuery & { id: string; column: BoardColumnId },
  ): Listed<Issue>;
  /** Throws `not_found`, and `validation_failed` for a neighbour that there is not. Of two who move at once the second finds what the first did. */
  move(actor: Actor, granted: GrantedRepository, wanted: BoardMove & { id: string }): Promise<Issue>;
}

export interface BoardServiceDeps {
  db: Database;
  addresses: Addresses;
  labels: Pick<LabelService, "findByNames">;
  workItems: Pick<WorkItems, "lock">;
  edits: IssueEdits;
  issues: Pick<IssueService, "get">;
}

export function createBoardService(deps: BoardServiceDeps): BoardService {
  const { db, addresses, labels, workItems } = deps;
  const viewOf = (actor: Actor, granted: GrantedRepository) => ({
    repository: granted.repository,
    viewer: viewerOf(actor, granted),
    addresses,
  });

  async function get(actor: Actor, granted: GrantedRepository, id: string): Promise<Board> {
    return presentBoard(found(await store.findBoard(db, granted.repository.id, id)), viewOf(actor, granted));
  }

  async function setColumns(
    tx: Transaction,
    { repositoryId, boardId }: Place,
    names: readonly string[],
  ): Promise<void> {
    const byName = new Map(
      (await findColumns(tx, repositoryId, names)).map((label) => [label.name.toLowerCase(), label.id]),
    );
    const ids = names.map((name) => byName.get(name.toLowerCase())!);
    if (new Set(ids).size < ids.length)
      throw invalidField("columns", "repeated", "Each label can be one column.");
    await store.setColumns(tx, boardId, ids);
  }

  async function findColumns(tx: Transaction, repositoryId: string, names: readonly string[]) {
    try {
      return await labels.findByNames(tx, repositoryId, names);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
      throw invalidField("columns", "unknown", error.message);
    }
  }

  return {
    async list(actor, granted, page) {
      const { rows, total } = await store.listBoards(db, granted.repository.id, page);
      const view = viewOf(actor, granted);
      return { items: rows.map((row) => presentBoard(row, view)), total };
    },
    get,
    async create(actor, granted, { name, filter, columns, limits }) {
      const repositoryId = granted.repository.id;
      filterConditions("filter", filter, askerOf(actor));
      const boardId = newId("brd");
      await db.transaction(async (tx) => {
        if (!(await tx.one(store.statements.holdRepository, [repositoryId]))) throw new AppError("not_found");
        const counted = await tx.one(store.statements.countBoards, [repositoryId]);
        if ((counted?.count ?? 0) >= maxBoards)
          throw new AppError("conflict", { message: `A repository can have at most ${maxBoards} boards.` });
        await refuseRival(tx, { repositoryId, boardId }, name);
        await tx.query(store.statements.insertBoard, [boardId, repositoryId, name, filter]);
        await setColumns(tx, { repositoryId, boardId }, columns);
        await setLimits(tx, { repositoryId, boardId }, limits);
      });
      return get(actor, granted, boardId);
    },
    async update(actor, granted, { id: boardId, ...wanted }) {
      const repositoryId = granted.repository.id;
      if (wanted.filter !== undefined) filterConditions("filter", wanted.filter, askerOf(actor));
      await db.transaction(async (tx) => {
        // In this order everywhere, so that none waits for another that waits for it.
        if (!(await tx.one(store.statements.holdRepository, [repositoryId]))) throw new AppError("not_found");
        if (!(await store.lockBoard(tx, repositoryId, boardId))) throw new AppError("not_found");
        const before = found(await store.findBoard(tx, repositoryId, boardId));
        const { name = before.name, filter = before.filter, columns, limits } = wanted;
        await refuseRival(tx, { repositoryId, boardId }, name);
        await tx.query(store.statements.updateBoard, [boardId, name, filter]);
        if (columns) await setColumns(tx, { repositoryId, boardId }, columns);
        if (limits) await setLimits(tx, { repositoryId, boardId }, limits);
      });
      return get(actor, granted, boardId);
    },
    async remove(actor, { repository }, id) {
      await db.transaction(async (tx) => {
        const deleted = await tx.one(store.statements.deleteBoard, [repository.id, id]);
        if (!deleted) throw new AppError("not_found");
        const target = {
          type: "repository",
          id: repository.id,
          name: `${repository.owner}/${repository.name}`,
        };
        const details = { board_id: id, board: deleted.name };
        await recordAudit(tx, actor, { action: "repo.board_delete", target, details });
      });
    },
    async issues(actor, granted, { id, column, q, ...page }) {
      const { repository } = granted;
      const board = found(await store.findBoard(db, repository.id, id));
      requireColumn(board, column);
      const asker = askerOf(actor);
      const conditions = [
        ...filterConditions("filter", board.filter, asker ?? nobody),
        ...readAsked("q", q, asker).conditions,
      ];
      const wanted = { boardId: id, column, conditions, viewerId: actor.userId, ...page };
      const { rows, total } = await listWithinTime(
        db,
        { conditions, isOwn: conditions.length > 0 },
        (queryable) => store.listColumn(queryable, repository.id, wanted),
      );
      const view = viewOf(actor, granted);
      return { items: rows.map((row) => presentIssue(row, view)), total };
    },
    async move(actor, granted, { id: boardId, number, to_column: column, ...neighbours }) {
      const repositoryId = granted.repository.id;
      await db.transaction(async (tx) => {
        if (!(await store.lockBoard(tx, repositoryId, boardId))) throw new AppError("not_found");
        const board = found(await store.findBoard(tx, repositoryId, boardId));
        requireColumn(board, column);
        const item = await workItems.lock(tx, { repositoryId, number, kind: "issue" });
        const neighbour = neighbourOf(neighbours);
        if (neighbour && !(await place(tx, { boardId, repositoryId, itemId: item.id }, neighbour)))
          throw invalidField(neighbour.side, "unknown", "There is no other issue of this number here.");
        const held = await tx.query(store.statements.labelsOfItem, [item.id]);
        const change: IssueUpdate = columnChange({ state: item.state, labels: held }, board.labels, column);
        await deps.edits.edit(tx, { actor, granted }, { number, ...change });
      });
      return deps.issues.get(actor, granted, number);
    },
  };
}

interface Place {
  repositoryId: string;
  boardId: string;
}

async function setLimits(
  tx: Transaction,
  { repositoryId, boardId }: Place,
  limits: readonly ColumnLimit[],
): Promise<void> {
  if (limits.length === 0) return;
  const { labels } = found(await store.findBoard(tx, repositoryId, boardId));
  const named = limits.map(({ column }) => column.toLowerCase());
  if (new Set(named).size < named.length)
    throw invalidField("limits", "repeated", "Each column can be named once.");
  for (const { column, max_issues: most } of limits) {
    const label = labels.find(({ name }) => name.toLowerCase() === column.toLowerCase());
    if (!label) throw invalidField("limits", "unknown", `The board has no column ${column}.`);
    await tx.query(store.statements.limitColumn, [boardId, label.id, most]);
  }
}

async function refuseRival(tx: Transaction, { repositoryId, boardId }: Place, name: string): Promise<void> {
  if (await tx.one(store.statements.findRival, [repositoryId, name, boardId]))
    throw new AppError("conflict", { message: `There is a board ${name} already.` });
}

function found(row: BoardRow | undefined): BoardRow {
  if (!row) throw new AppError("not_found");
  return row;
}

function requireColumn({ labels }: BoardRow, column: BoardColumnId): void {
  if (column !== "open" && column !== "closed" && !labels.some(({ id }) => id === column))
    throw new AppError("not_found", { message: "The board has no such column." });
}

function neighbourOf({ after, before }: Pick<BoardMove, "after" | "before">): Neighbour | undefined {
  if (after !== undefined) return { side: "after", number: after };
  return before === undefined ? undefined : { side: "before", number: before };
}

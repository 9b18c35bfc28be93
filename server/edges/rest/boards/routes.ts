/** Binds the operations on the boards of a repository. */
import {
  createBoard,
  deleteBoard,
  getBoard,
  listBoardIssues,
  listBoards,
  moveOnBoard,
  updateBoard,
} from "@forgeline/schemas/boards/routes.ts";
import type { BoardService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerBoardRoutes(app: RouteBinder, { boards }: { boards: BoardService }): void {
  app.bindRepository(listBoards, async ({ actor, query, ...granted }) => {
    const { items, total } = await boards.list(actor, granted, query);
    return { body: items, total };
  });
  app.bindRepository(getBoard, async ({ actor, params, ...granted }) => ({
    body: await boards.get(actor, granted, params.id),
  }));
  app.bindRepository(createBoard, async ({ actor, body, ...granted }) => {
    const board = await boards.create(actor, granted, body);
    return { body: board, location: board.url };
  });
  app.bindRepository(updateBoard, async ({ actor, params, body, ...granted }) => ({
    body: await boards.update(actor, granted, { ...body, id: params.id }),
  }));
  app.bindRepository(deleteBoard, ({ actor, params, ...granted }) =>
    boards.remove(actor, granted, params.id),
  );
  app.bindRepository(listBoardIssues, async ({ actor, params, query, ...granted }) => {
    const { id, column } = params;
    const { items, total } = await boards.issues(actor, granted, { id, column, ...query });
    return { body: items, total };
  });
  app.bindRepository(moveOnBoard, async ({ actor, params, body, ...granted }) => ({
    body: await boards.move(actor, granted, { ...body, id: params.id }),
  }));
}

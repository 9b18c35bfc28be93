/** Operations on the boards of a repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Issue } from "../issues/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { searchText } from "../search/resource.ts";
import {
  Board,
  BoardColumnId,
  BoardCreate,
  BoardMove,
  BoardUpdate,
  maxBoardColumns,
  maxBoards,
} from "./resource.ts";

const read = { tag: "boards", access: "repo_read", scope: "issue:read" } as const;
const manage = { tag: "boards", access: "repo_maintain", scope: "issue:write" } as const;
const all = "/repos/:owner/:repo/boards";
const one = `${all}/:id`;
const BoardParams = z.strictObject({ ...RepositoryParams.shape, id: idOf("brd") });

export const listBoards = route({
  ...read,
  id: "listBoards",
  method: "get",
  path: all,
  summary: "Issue boards of a repository, by name",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(Board),
  paginated: true,
  errors: [],
});

export const getBoard = route({
  ...read,
  id: "getBoard",
  method: "get",
  path: one,
  summary: "One issue board",
  params: BoardParams,
  status: 200,
  response: Board,
  errors: [],
});

export const createBoard = route({
  ...manage,
  id: "createBoard",
  method: "post",
  path: all,
  summary: "Create an issue board",
  description: `Up to ${maxBoardColumns} labels are its columns, between open issues without any of them and closed ones. A name can be used once, whatever its case: 409. A repository has at most ${maxBoards} boards.`,
  params: RepositoryParams,
  body: BoardCreate,
  status: 201,
  response: Board,
  errors: ["conflict", "repository_archived"],
});

export const updateBoard = route({
  ...manage,
  id: "updateBoard",
  method: "patch",
  path: one,
  summary: "Rename an issue board, or change its columns, their limits or its filter",
  description:
    "Issues keep their labels and their order. Limits warn people on the page of the board; no move is refused for one. 422 for a limit of what is no column.",
  params: BoardParams,
  body: BoardUpdate,
  status: 200,
  response: Board,
  errors: ["conflict", "repository_archived"],
});

export const deleteBoard = route({
  ...manage,
  id: "deleteBoard",
  method: "delete",
  path: one,
  summary: "Delete an issue board",
  description: "Issues and labels stay.",
  params: BoardParams,
  status: 204,
  errors: ["repository_archived"],
});

export const BoardIssuesQuery = z.strictObject({
  ...PageQuery.shape,
  q: searchText.prefault("").describe("Only these of them, as in the list of issues."),
});
export type BoardIssuesQuery = z.output<typeof BoardIssuesQuery>;

export const listBoardIssues = route({
  ...read,
  id: "listBoardIssues",
  method: "get",
  path: `${one}/columns/:column/issues`,
  summary: "Issues in a column of a board",
  description:
    "In the order in which people put them; new ones stand at the top. Closed ones: those closed last at the top.",
  params: z.strictObject({ ...BoardParams.shape, column: BoardColumnId }),
  query: BoardIssuesQuery,
  status: 200,
  response: z.array(Issue),
  paginated: true,
  errors: ["validation_failed"],
});

export const moveOnBoard = route({
  tag: "boards",
  access: "repo_triage",
  scope: "issue:write",
  id: "moveOnBoard",
  method: "post",
  path: `${one}/move`,
  summary: "Move an issue on a board",
  description:
    "Into another column its labels change: it loses those of the board's columns and gets that of its new one. It is closed by moving it to `closed`, where it keeps its labels, and reopened by moving it away. Without a neighbour it keeps its place in the order of the board. 422 for a neighbour that is no issue of the repository.",
  params: BoardParams,
  body: BoardMove,
  status: 200,
  response: Issue,
  errors: ["repository_archived"],
});

/** A board, the issues of its columns, and moving one: shown at once, and taken back where the server refuses. */
import { useInfiniteQuery, useIsMutating, useMutation, type InfiniteData } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { isFieldProblem } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { totalOf } from "../../api/total.ts";
import { showProblem } from "../../ui/toasts.tsx";
import { useSession } from "../../api/session.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { withoutMoved, withoutStale } from "./agree.ts";
import { withIssue, withoutIssue, type ColumnPage } from "./column-pages.ts";
import { refreshMs } from "./refresh-ms.ts";
import type { Target } from "./target.ts";

export type Board = Schemas["Board"];
export type Column = Schemas["BoardColumn"];
export type Issue = Schemas["Issue"];

const perPage = 30;
export const boardAddress = "/repos/{owner}/{repo}/boards/{id}";

const keyOf = (board: string, q: string) => ["board-issues", board, q] as const;
const nextPage = (last: ColumnPage, all: readonly ColumnPage[]) =>
  last.issues.length < perPage ? undefined : all.length + 1;

export function useColumn({ id: board, columns }: Board, column: string, q: string) {
  const path = { ...useRepositoryPath(), id: board, column };
  const isSignedIn = useSession() !== null;
  const key = keyOf(board, q);
  return useInfiniteQuery({
    queryKey: [...key, column],
    queryFn: async ({ pageParam, signal }): Promise<ColumnPage> => {
      const query = { q, page: pageParam, per_page: perPage };
      const { data, response } = await api.GET(`${boardAddress}/columns/{column}/issues`, {
        params: { path, query },
        signal,
      });
      return agreed({ issues: data ?? [], total: totalOf(response) }, key, { column, columns });
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: ({ state }) =>
      pollUnlessRefused(
        state.error,
        // A query that cannot be understood stays so.
        !isFieldProblem(state.error) &&
          refreshMs({ isSignedIn, columns: columns.length, pages: state.data?.pages.length ?? 1 }),
      ),
  });
}

/** The answer of a column as all columns are to show it; what it says of others is taken from them. */
function agreed(
  answer: ColumnPage,
  queryKey: ReturnType<typeof keyOf>,
  { column, columns }: { column: string; columns: readonly Column[] },
): ColumnPage {
  const others = columns.filter(({ id }) => id !== column);
  const shown = others.map(({ id }) => queryClient.getQueryData<InfiniteData<ColumnPage>>([...queryKey, id]));
  for (const { id } of others)
    queryClient.setQueryData<InfiniteData<ColumnPage>>([...queryKey, id], (data) =>
      withoutMoved(data, answer.issues, { column: id, columns }),
    );
  return withoutStale(answer, shown, { column, columns });
}

export interface Move {
  issue: Issue;
  from: string;
  to: Target;
}

const movesOf = (board: string) => ["board-move", board] as const;

/** Whether a move of one's own is on its way. */
export function useIsMoving(board: string): boolean {
  return useIsMutating({ mutationKey: movesOf(board) }) > 0;
}

/** Moves are sent one after another, in the order in which they were made. */
export function useMove(board: string, q: string) {
  const path = { ...useRepositoryPath(), id: board };
  const key = keyOf(board, q);
  return useMutation({
    mutationKey: movesOf(board),
    scope: { id: `board ${board}` },
    mutationFn: ({ issue, to: { column, after, before } }: Move) =>
      api.POST(`${boardAddress}/move`, {
        params: { path },
        body: {
          number: issue.number,
          to_column: column,
          ...(after === undefined ? {} : { after }),
          ...(after === undefined && before !== undefined ? { before } : {}),
        },
      }),
    onMutate: async ({ issue, from, to }: Move) => {
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueriesData<InfiniteData<ColumnPage>>({ queryKey: key });
      queryClient.setQueryData<InfiniteData<ColumnPage>>([...key, from], (data) =>
        withoutIssue(data, issue.number),
      );
      queryClient.setQueryData<InfiniteData<ColumnPage>>([...key, to.column], (data) =>
        withIssue(data, issue, to.index),
      );
      return { before };
    },
    onError: (error, _move, context) => {
      for (const [each, data] of context?.before ?? []) queryClient.setQueryData(each, data);
      showProblem(error);
      // Perhaps the board has other columns by now.
      void queryClient.invalidateQueries({ queryKey: ["get", boardAddress] });
    },
    onSettled: (_data, _error, { issue: { number } }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [path.owner, path.repo, "issues", String(number)] }),
        // What was moved after it and is not sent yet would jump back.
        queryClient.isMutating({ mutationKey: movesOf(board) }) > 1
          ? undefined
          : queryClient.invalidateQueries({ queryKey: ["board-issues", board] }),
      ]),
  });
}

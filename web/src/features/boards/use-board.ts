/** A board, the issues of its columns, and moving one: shown at once, and taken back where the server refuses. */
import { useInfiniteQuery, useMutation, type InfiniteData } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { queryClient } from "../../api/query-client.ts";
import { totalOf } from "../../api/total.ts";
import { showProblem } from "../../ui/toasts.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { withIssue, withoutIssue, type ColumnPage } from "./column-pages.ts";
import type { Target } from "./target.ts";

export type Board = Schemas["Board"];
export type Column = Schemas["BoardColumn"];
export type Issue = Schemas["Issue"];

const perPage = 30;
const refreshMs = 60_000;
const one = "/repos/{owner}/{repo}/boards/{id}";

const keyOf = (board: string, q: string) => ["board-issues", board, q] as const;
const nextPage = (last: ColumnPage, all: readonly ColumnPage[]) =>
  last.issues.length < perPage ? undefined : all.length + 1;

export function useColumn(board: string, column: string, q: string) {
  const path = { ...useRepositoryPath(), id: board, column };
  return useInfiniteQuery({
    queryKey: [...keyOf(board, q), column],
    queryFn: async ({ pageParam, signal }): Promise<ColumnPage> => {
      const query = { q, page: pageParam, per_page: perPage };
      const { data, response } = await api.GET(`${one}/columns/{column}/issues`, {
        params: { path, query },
        signal,
      });
      return { issues: data ?? [], total: totalOf(response) };
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: ({ state }) => pollUnlessRefused(state.error, refreshMs),
  });
}

export interface Move {
  issue: Issue;
  from: string;
  to: Target;
}

/** Moves are sent one after another, in the order in which they were made. */
export function useMove(board: string, q: string) {
  const path = { ...useRepositoryPath(), id: board };
  const key = keyOf(board, q);
  return useMutation({
    scope: { id: `board ${board}` },
    mutationFn: ({ issue, to: { column, after, before } }: Move) =>
      api.POST(`${one}/move`, {
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
      void queryClient.invalidateQueries({ queryKey: ["get", one] });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["board-issues", board] }),
  });
}

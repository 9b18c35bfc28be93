/** The dependency graph of the repository of the address, all pages of it, asked for again until it is up to date. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, $api } from "../../../api/client.ts";
import { isPassing, queryClient } from "../../../api/query-client.ts";
import { useRepositoryPath } from "../../repositories/use-repository.ts";
import { againAfter } from "../use-statistics.ts";
import { packagesOf, type GraphNode } from "./packages.ts";

const perPage = 100;
const pagesAtOnce = 3;
/** So many are fetched though nobody asked for them: what they tell about the direct ones is worth it. */
const fewIndirect = 1_000;

/** `wantsAll`: also what only dependencies ask for, however many there are. */
export function useDependencies(wantsAll: boolean) {
  const path = useRepositoryPath();
  const first = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/dependency-graph",
    { params: { path, query: { direct: "true", page: 1, per_page: perPage } } },
    { refetchInterval: ({ state }) => againAfter(state.data?.state) },
  );
  const head = first.data;
  const named = head?.manifests.reduce((sum, { dependencies }) => sum + dependencies, 0) ?? 0;
  const indirect = named - (head?.total_nodes ?? 0);
  const pages = { path, commit: head?.commit ?? null, computedAt: head?.computed_at ?? null };
  const moreDirect = useNodes({ ...pages, direct: "true", total: head?.total_nodes ?? 0, skip: 1 });
  const direct = head && moreDirect.data ? [...head.nodes, ...moreDirect.data] : undefined;
  const isFetched = direct !== undefined && indirect > 0 && (wantsAll || indirect <= fewIndirect);
  const rest = useNodes({ ...pages, direct: "false", total: isFetched ? indirect : 0, skip: 0 });
  const restNodes = rest.data;
  const manifests = head?.manifests;
  const data = useMemo(
    () =>
      manifests && direct
        ? { manifests, packages: packagesOf(manifests, [...direct, ...(restNodes ?? [])]) }
        : undefined,
    // oxlint-disable-next-line react/exhaustive-deps -- `direct` is made anew each time, of these two
    [head, moreDirect.data, restNodes, manifests],
  );
  return {
    head,
    error: first.error ?? moreDirect.error ?? rest.error,
    data,
    /** How many there are that only dependencies ask for. */
    indirect,
    /** They are known, too. */
    isWhole: indirect === 0 || (isFetched && restNodes !== undefined),
    isFetchingRest: isFetched && restNodes === undefined,
  };
}

interface Pages {
  path: { owner: string; repo: string };
  commit: string | null;
  computedAt: string | null;
  direct: "true" | "false";
  total: number;
  /** Pages that are known already. */
  skip: number;
}

function useNodes(pages: Pages) {
  return useQuery({
    queryKey: ["dependency nodes", pages],
    queryFn: () => fetchNodes(pages),
    enabled: pages.commit !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) => isPassing(error) && failures < 100,
  });
}

async function fetchNodes({ path, commit, direct, total, skip }: Pages): Promise<GraphNode[]> {
  const count = Math.max(0, Math.ceil(total / perPage) - skip);
  const numbers = Array.from({ length: count }, (_, at) => at + 1 + skip);
  const nodes: GraphNode[] = [];
  for (let start = 0; start < count; start += pagesAtOnce)
    for (const some of await Promise.all(
      numbers.slice(start, start + pagesAtOnce).map(async (page) => {
        const query = { direct, page, per_page: perPage };
        const { data } = await api.GET("/repos/{owner}/{repo}/dependency-graph", { params: { path, query } });
        return data;
      }),
    )) {
      if (some?.commit !== commit) return supersede();
      nodes.push(...some.nodes);
    }
  return nodes;
}

/** A push came between two pages: the newer graph is asked for from its first page on. */
async function supersede(): Promise<GraphNode[]> {
  await queryClient.invalidateQueries({ queryKey: ["get", "/repos/{owner}/{repo}/dependency-graph"] });
  return [];
}

/** The dependency graph of the repository of the address, all pages of it, asked for again until it is up to date. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, $api } from "../../../api/client.ts";
import { isPassing, queryClient } from "../../../api/query-client.ts";
import { useRepositoryPath } from "../../repositories/use-repository.ts";
import { refetchDelayMs } from "../use-statistics.ts";
import { packagesOf, type GraphNode, type Manifest, type Package } from "./packages.ts";

const perPage = 100;
const pagesAtOnce = 3;
/** So many are fetched though nobody requested them: what they tell about the direct ones is worth it. */
const fewIndirect = 1_000;

export interface Dependencies {
  /** `owner/name` */
  repository: string;
  manifests: readonly Manifest[];
  packages: readonly Package[];
  /** How many there are that only dependencies require. */
  indirect: number;
  /** They are among `packages`. */
  isWhole: boolean;
}

/** `wantsAll`: also what only dependencies require, however many there are. */
export function useDependencies(wantsAll: boolean) {
  const path = useRepositoryPath();
  const repository = `${path.owner}/${path.repo}`;
  const first = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/dependency-graph",
    { params: { path, query: { direct: "true", page: 1, per_page: perPage } } },
    { refetchInterval: ({ state }) => refetchDelayMs(state.data?.state) },
  );
  const { commit = null, computed_at: computedAt = null, total_nodes: total = 0 } = first.data ?? {};
  const { manifests, nodes } = first.data ?? {};
  const named = manifests?.reduce((sum, { dependencies }) => sum + dependencies, 0) ?? 0;
  const indirect = named - total;
  const pages = { path, commit, computedAt };
  const more = useNodes({ ...pages, direct: "true", total, skip: 1 });
  const isFetched = more.data !== undefined && indirect > 0 && (wantsAll || indirect <= fewIndirect);
  const rest = useNodes({ ...pages, direct: "false", total: isFetched ? indirect : 0, skip: 0 });
  const isFetchingRest = isFetched && rest.data === undefined;
  const now = useMemo((): Dependencies | undefined => {
    if (!manifests || !nodes || !more.data) return undefined;
    const packages = packagesOf(manifests, [...nodes, ...more.data, ...(rest.data ?? [])]);
    return { repository, manifests, packages, indirect, isWhole: isKnown(indirect, rest.data) };
  }, [repository, manifests, nodes, more.data, rest.data, indirect]);
  return {
    head: first.data,
    error: first.error ?? more.error ?? rest.error,
    data: useKept(now, { repository, isPartial: isFetchingRest }),
    isFetchingRest,
  };
}

const isKnown = (indirect: number, rest: readonly unknown[] | undefined) =>
  indirect === 0 || (rest?.length ?? 0) > 0;

/** What was shown last, of the same repository, until what is newer has been fetched whole. */
function useKept(
  now: Dependencies | undefined,
  { repository, isPartial }: { repository: string; isPartial: boolean },
): Dependencies | undefined {
  const [kept, keep] = useState(now);
  const isOfAnother = kept?.repository !== repository;
  if (now && now !== kept && (isOfAnother || !isPartial)) keep(now);
  return isOfAnother ? now : kept;
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

/** A push came between two pages: the newer graph is requested from its first page on. */
async function supersede(): Promise<GraphNode[]> {
  await queryClient.invalidateQueries({ queryKey: ["get", "/repos/{owner}/{repo}/dependency-graph"] });
  return [];
}

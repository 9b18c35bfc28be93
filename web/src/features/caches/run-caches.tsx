/** What the jobs of a run did with their caches. Nothing where there is nothing. */
import { lazy, Suspense } from "react";
import { api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { usePages } from "../../api/use-pages.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

/** Most runs have none. */
const CacheSection = lazy(async () => ({
  default: (await fetchPart(() => import("./cache-section.tsx"))).CacheSection,
}));

/** `version` changes whenever a job of the run has ended. */
export function RunCaches({ runId, version }: { runId: string; version: string }) {
  const path = { ...useRepositoryPath(), id: runId };
  const pages = usePages(["run-caches", runId, version], (query) =>
    api.GET("/repos/{owner}/{repo}/pipelines/{id}/caches", { params: { path, query } }),
  );
  if (!pages.data || pages.data.length === 0) return null;
  return (
    <Suspense>
      <CacheSection pages={pages} />
    </Suspense>
  );
}

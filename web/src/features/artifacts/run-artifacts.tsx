/** What jobs of a run left behind. Nothing where there is nothing. */
import { lazy, Suspense } from "react";
import { api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { usePages } from "../../api/use-pages.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

/** Most runs have none. */
const ArtifactSection = lazy(async () => ({
  default: (await fetchPart(() => import("./artifact-section.tsx"))).ArtifactSection,
}));

/** `version` changes whenever a job of the run has ended. */
export function RunArtifacts({ runId, version }: { runId: string; version: string }) {
  const path = { ...useRepositoryPath(), id: runId };
  const pages = usePages(["artifacts", runId, version], (query) =>
    api.GET("/repos/{owner}/{repo}/pipelines/{id}/artifacts", { params: { path, query } }),
  );
  if (!pages.data || pages.data.length === 0) return null;
  return (
    <Suspense>
      <ArtifactSection pages={pages} path={path} />
    </Suspense>
  );
}

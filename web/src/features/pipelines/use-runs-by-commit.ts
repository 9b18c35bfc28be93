/** The newest runs of a repository or of one of its branches, by their commits. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { isUnsuccessful, isOver } from "../../ui/statuses.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { useMaySeeRuns } from "./use-may-see-runs.ts";
import { isAnyRunning, backgroundRefetchMs, pipelinesKey } from "./use-pipelines.ts";

type Run = Schemas["PipelineSummary"];

const runsAsked = 50;
const none: ReadonlyMap<string, Run> = new Map();

/** `ref`: a branch or tag; empty for all. */
export function runsByCommit(path: { owner: string; repo: string }, ref: string) {
  return queryOptions({
    queryKey: [pipelinesKey, "/repos/{owner}/{repo}/pipelines", path, "of", ref],
    queryFn: async ({ signal }) => {
      const query = { per_page: runsAsked, ...(ref === "" ? {} : { ref }) };
      const { data } = await api.GET("/repos/{owner}/{repo}/pipelines", { params: { path, query }, signal });
      return byCommit(data ?? []);
    },
  });
}

/** Of a commit with several runs the one that tells most. Empty where the viewer may not see runs. */
export function useRunsByCommit(ref: string): ReadonlyMap<string, Run> {
  const path = useRepositoryPath();
  const maySee = useMaySeeRuns();
  const runs = useQuery({
    ...runsByCommit(path, ref),
    enabled: maySee,
    refetchInterval: ({ state }) => (isAnyRunning(state.data?.values() ?? []) ? backgroundRefetchMs : false),
  });
  return runs.data ?? none;
}

function byCommit(runs: readonly Run[]): Map<string, Run> {
  const found = new Map<string, Run>();
  for (const run of runs) {
    const known = found.get(run.sha);
    if (!known || weight(run) > weight(known)) found.set(run.sha, run);
  }
  return found;
}

/** What failed, else what is under way. */
function weight({ status }: Run): number {
  if (isUnsuccessful(status)) return 2;
  return isOver(status) ? 0 : 1;
}

/** The newest runs of one commit, on its page. Nothing where there is none, or the viewer may not see runs. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/pipelines.ts";
import { StatusMark } from "../../ui/status.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./commit-runs.module.css";
import { useMaySeeRuns } from "./use-may-see-runs.ts";
import { isAnyRunning, backgroundRefetchMs, pipelinesKey } from "./use-pipelines.ts";

const runsShown = 10;

export function CommitRuns({ sha }: { sha: string }) {
  const { full_name: fullName } = useRepository();
  const runs = useRunsOf(sha);
  if (runs.length === 0) return null;
  return (
    <span className={styles.runs}>
      {text.runsOfCommit}
      {runs.map(({ number, name, status }) => (
        <Link key={number} to={`/${fullName}/pipelines/${number}`} title={name}>
          <StatusMark status={status} bare /> #{number}
        </Link>
      ))}
    </span>
  );
}

function useRunsOf(sha: string) {
  const path = useRepositoryPath();
  const maySee = useMaySeeRuns();
  const runs = useQuery({
    queryKey: [pipelinesKey, "/repos/{owner}/{repo}/pipelines", path, "of commit", sha],
    queryFn: async ({ signal }) => {
      const query = { sha, per_page: runsShown };
      const { data } = await api.GET("/repos/{owner}/{repo}/pipelines", { params: { path, query }, signal });
      return data ?? [];
    },
    enabled: maySee,
    refetchInterval: ({ state }) => (isAnyRunning(state.data ?? []) ? backgroundRefetchMs : false),
  });
  return runs.data ?? [];
}

/** How the last run of a repository stands, in lists of repositories for somebody who is signed in. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text } from "../../text/pipelines.ts";
import { StatusMark } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./last-run.module.css";
import { isAnyRunning, backgroundRefetchMs, pipelinesKey } from "./use-pipelines.ts";

const otherwiseMs = 30_000;

export function LastRun({ repository }: { repository: Schemas["Repository"] }) {
  const { owner, name, full_name } = repository;
  const path = { owner: owner.name, repo: name };
  const last = useQuery({
    queryKey: [pipelinesKey, "/repos/{owner}/{repo}/pipelines", path, "last"],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET("/repos/{owner}/{repo}/pipelines", {
        params: { path, query: { per_page: 1 } },
        signal,
      });
      return data?.[0] ?? null;
    },
    refetchInterval: ({ state: { data, error } }) =>
      pollUnlessRefused(error, isAnyRunning(data ? [data] : []) ? backgroundRefetchMs : otherwiseMs),
  });
  const run = last.data;
  if (run === undefined) return null;
  if (run === null) return <span className={styles.none}>{text.noRun}</span>;
  return (
    <span className={styles.run}>
      <Link to={`/${full_name}/pipelines/${run.number}`}>
        <StatusMark status={run.status} />
      </Link>
      <span className={styles.when}>
        <Time at={run.created_at} />
      </span>
    </span>
  );
}

/** What the file says of a job's network, that it is privileged, and what its token may do; nothing for most jobs. */
import { text } from "../../text/job-rights.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./job-panel.module.css";
import type { Job } from "./run-status.ts";

export function JobRights({ job }: { job: Job }) {
  const { network, privileged } = job;
  return (
    <>
      {privileged ? (
        <span title={text.privilegedHint}>
          <Badge tone="warn">{text.privileged}</Badge>
        </span>
      ) : null}
      {network?.length === 0 ? <Badge tone="plain">{text.noNetwork}</Badge> : null}
      {network && network.length > 0 ? (
        <span className={styles.soft}>{text.reachesOnly(network.join(", "))}</span>
      ) : null}
      <Token job={job} />
    </>
  );
}

/** Most tokens may only read, and nobody needs to be told. */
function Token({ job: { permissions, permissions_limit: limit } }: { job: Job }) {
  if (permissions.join() === "repo:read" || (permissions.length === 0 && limit === null)) return null;
  return (
    <span className={styles.soft}>
      {text.token(permissions.join(", "))}
      {limit === null ? null : ` (${limit})`}
    </span>
  );
}

/** What the file says of a job's network, and that it is privileged; nothing for most jobs. */
import { text } from "../../text/runs.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./job-panel.module.css";
import type { Job } from "./run-status.ts";

export function JobRights({ job: { network, privileged } }: { job: Pick<Job, "network" | "privileged"> }) {
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
    </>
  );
}

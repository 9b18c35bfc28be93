/** Runs as rows: what was committed, where and by whom, how it stands and why, and how long it took. */
import { GitBranch, Tag } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/pipelines.ts";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds, Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { StartedBy } from "./started-by.tsx";
import styles from "./run-list.module.css";

type Run = Schemas["PipelineSummary"];

export function RunList({ runs }: { runs: readonly Run[] }) {
  const { full_name } = useRepository();
  return (
    <ul className={styles.list} aria-label={text.runs}>
      {runs.map((run) => (
        <li key={run.id} className={styles.run}>
          <div className={styles.status}>
            <StatusMark status={run.status} />
          </div>
          <div className={styles.what}>
            <Link to={`/${full_name}/pipelines/${run.number}`} className={styles.title}>
              {firstLine(run.commit.message) || text.noMessage}
            </Link>
            <div className={styles.about}>
              <span>#{run.number}</span>
              <span>{run.name || run.pipeline}</span>
              <Ref name={run.ref} />
              <Link to={`/${full_name}/commit/${run.sha}`} data-inline>
                <code>{shortName(run.sha)}</code>
              </Link>
              <StartedBy run={run} />
              {run.sequence > 1 ? <span>{text.rerun(run.sequence)}</span> : null}
              {run.warnings > 0 ? (
                <span className={styles.warnings}>{text.warnings(run.warnings)}</span>
              ) : null}
            </div>
            {run.message ? <div className={styles.why}>{run.message}</div> : null}
          </div>
          <div className={styles.when}>
            <span>{formatSeconds(run.duration)}</span>
            <Time at={run.created_at} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Ref({ name }: { name: string }) {
  const isTag = name.startsWith("refs/tags/");
  const Mark = isTag ? Tag : GitBranch;
  return (
    <span className={styles.ref}>
      <Mark size={13} aria-hidden />
      {name.replace(/^refs\/(?:heads|tags)\//, "")}
    </span>
  );
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}

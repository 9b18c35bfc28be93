/** Below the head of a run: its commit, who and what started it, when, and what is wrong with it. */
import { GitBranch, GitCommitHorizontal } from "lucide-react";
import { Link } from "react-router";
import { text } from "../../text/runs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { isUnsuccessful, isOver } from "../../ui/statuses.ts";
import { formatSeconds, Time } from "../../ui/time.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { shortName } from "../commits/commit-id.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { useMayRun } from "./run-actions.tsx";
import { StartedBy } from "../pipelines/started-by.tsx";
import styles from "./run-page.module.css";
import { isSilent, jobsOf, type Run } from "./run-status.ts";

export function RunFacts({ run }: { run: Run }) {
  const repository = useRepository();
  const { full_name } = repository;
  const [firstLine = ""] = run.commit.message.split("\n");
  return (
    <div className={styles.facts}>
      <div className={styles.message}>{firstLine}</div>
      <div className={styles.details}>
        <span>
          <GitCommitHorizontal size={14} aria-hidden />{" "}
          <Link to={`/${full_name}/commit/${run.sha}`}>
            <code>{shortName(run.sha)}</code>
          </Link>
        </span>
        <span className={styles.ref}>
          <GitBranch size={14} aria-hidden />{" "}
          <Link to={fileAddress(repository, "tree", { ref: shortRef(run) })}>{shortRef(run)}</Link>
        </span>
        <StartedBy run={run} linked />
        <Time at={run.created_at} />
        {run.duration === null ? null : (
          <span>
            {isOver(run.status) ? text.took : text.sinceStart} {formatSeconds(run.duration)}
          </span>
        )}
        <Link to={fileAddress(repository, "blob", { ref: run.sha, path: run.pipeline })}>
          <code>{run.pipeline}</code>
        </Link>
        {run.variables.length > 0 ? <span>{text.withVariables(run.variables.join(", "))}</span> : null}
        <Inputs run={run} />
        {run.sequence > 1 ? <span>{text.rerunNumber(run.sequence - 1)}</span> : null}
        {run.warnings > 0 ? <Badge tone="warn">{text.warnings(run.warnings)}</Badge> : null}
      </div>
    </div>
  );
}

/** What the run was given, with defaults; an input without a value is not there. */
function Inputs({ run }: { run: Run }) {
  return Object.entries(run.inputs).map(([name, value]) =>
    value === null ? null : (
      <span key={name} className={styles.ref} title={String(value)}>
        {name}: <code>{String(value)}</code>
      </span>
    ),
  );
}

function shortRef({ ref }: Run): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, "");
}

/** What is wrong with the pipeline file; else why the run is not a success, or why it waits. */
export function RunProblems({ run }: { run: Run }) {
  if (run.error)
    return (
      <Notice tone="bad" title={text.configWrong}>
        {run.error.diagnostics.length > 0 ? null : <p>{run.error.message}</p>}
        <ul className={styles.diagnostics}>
          {run.error.diagnostics.map((found, index) => (
            <li key={index}>
              {text.line(found.file, found.line)}: {found.message} {found.hint ?? ""}
              {found.used_by?.toReversed().map((use) => (
                <div key={use.file}>{text.usedBy(use.file, use.line)}</div>
              ))}
            </li>
          ))}
        </ul>
        <EditFile run={run} />
      </Notice>
    );
  return (
    <>
      <WhyNot run={run} />
      <Silent run={run} />
      {isOver(run.status) ? null : <ForeseenErrors run={run} />}
    </>
  );
}

/** Jobs that run where nobody hears of them. */
function Silent({ run }: { run: Run }) {
  const names = jobsOf(run).flatMap((job) => (isSilent(job) ? job.name : []));
  return names.length === 0 ? null : <Notice tone="warn">{text.silent(names.join(", "))}</Notice>;
}

/** Jobs that will end with an error unless somebody does something now. */
function ForeseenErrors({ run: { foreseen } }: { run: Run }) {
  if (foreseen.length === 0) return null;
  return (
    <Notice tone="warn" title={text.foreseen}>
      <ul className={styles.diagnostics}>
        {foreseen.map(({ job, more_jobs: more, reason, message }) => (
          <li key={`${job} ${reason} ${message}`}>
            {text.foreseenOf(job, more)}: {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function WhyNot({ run }: { run: Run }) {
  if (run.message === null || run.status === "running" || jobsOf(run).length === 0) return null;
  const tone = isUnsuccessful(run.status) ? "bad" : "info";
  return (
    <Notice
      tone={tone === "bad" ? "warn" : "info"}
      title={isOver(run.status) ? text.whyFailed : text.whyWaiting}
    >
      {run.message}
    </Notice>
  );
}

/** On the branch, as it is there by now. */
function EditFile({ run }: { run: Run }) {
  const { full_name, archived } = useRepository();
  const mayRun = useMayRun();
  if (!mayRun || archived || !run.ref.startsWith("refs/heads/")) return null;
  const query = new URLSearchParams({ ref: shortRef(run), file: run.pipeline });
  return (
    <p>
      <Link to={`/${full_name}/pipelines/edit?${query}`} data-inline>
        {text.editFile}
      </Link>
    </p>
  );
}

/** One attempt of a job: where it ran, what was odd, and its log. */
import { lazy, Suspense, useCallback, useMemo } from "react";
import { useParams } from "react-router";
import type { WatchedStatus } from "@forgeline/client/watch-session.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/runs.ts";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { isUnsuccessful, isOver } from "../../ui/statuses.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./job-panel.module.css";
import type { SectionWords } from "./log/log-section.tsx";
import { streamKey } from "./log/log-store.ts";
import type { LogStream } from "./log/log-stream.ts";
import { LogView } from "./log/log-view.tsx";
import { useLog } from "./log/use-log.ts";
import { RunnerName } from "./runner-name.tsx";
import { formatRunHash, type RunHash } from "./run-hash.ts";
import { addressOf, type Attempt, type Job, type Run } from "./run-status.ts";

/** Few runners are silent. */
const SilentRunner = lazy(async () => ({
  default: (await fetchPart(() => import("./silent-runner.tsx"))).SilentRunner,
}));

export interface AttemptLogProps {
  run: Run;
  job: Job;
  attempt: Attempt;
  place: RunHash | null;
  onStatus: (status: WatchedStatus) => void;
}

export function AttemptLog({ run, job, attempt, place, onStatus }: AttemptLogProps) {
  const { owner, repo } = useRepositoryPath();
  const { number = "" } = useParams();
  const address = addressOf(job);
  const log = useLog(
    { owner, repo, pipeline: number, job: address, attempt: attempt.attempt, sequence: run.sequence },
    onStatus,
  );
  const { step, line } = place ?? {};
  const target = useMemo(() => (step && line ? { stream: step, line: line - 1 } : null), [step, line]);
  // Set-up says little when all went well, services seldom matter.
  const hasFailedEarly =
    isUnsuccessful(attempt.status) && attempt.steps.every(({ status }) => !isUnsuccessful(status));
  const isOpenByDefault = useCallback(
    ({ stream }: LogStream) => stream.kind === "step" || hasFailedEarly,
    [hasFailedEarly],
  );
  const hrefOf = useCallback(
    (stream: string, at: number) =>
      formatRunHash({ job: address, attempt: attempt.attempt, step: stream, line: at }),
    [address, attempt.attempt],
  );
  const query = new URLSearchParams({ job: address, attempt: String(attempt.attempt), format: "text" });
  return (
    <div className={styles.attempt}>
      <AttemptHead job={job} attempt={attempt} />
      {log.refused ? <ProblemNotice error={log.refused} /> : null}
      <LogView
        log={log}
        label={text.logOf(job.name, attempt.attempt)}
        isLive={!isOver(attempt.status)}
        wordsOf={(stream) => sectionWords(stream, attempt)}
        isOpenByDefault={isOpenByDefault}
        hrefOf={hrefOf}
        target={target}
        rawHref={`/api/v1/repos/${owner}/${repo}/pipelines/${number}/logs?${query}`}
      />
    </div>
  );
}

function AttemptHead({ job, attempt }: { job: Job; attempt: Attempt }) {
  const { runner, queue_time: queued, unreachable, warnings, message } = attempt;
  const omitted = attempt.warnings_omitted;
  return (
    <>
      <div className={styles.attemptHead}>
        {job.attempts.length > 1 ? (
          <span>
            <StatusMark status={attempt.status} /> · {text.attempt(attempt.attempt)}
          </span>
        ) : null}
        {runner ? (
          <span>
            {text.runner} <RunnerName {...runner} />
          </span>
        ) : null}
        {queued === null ? null : (
          <span>
            {text.queuedFor} {formatSeconds(queued)}
          </span>
        )}
        {attempt.exit_code === null || attempt.exit_code === 0 ? null : (
          <span>{text.exitCode(attempt.exit_code)}</span>
        )}
      </div>
      {unreachable ? (
        <Suspense>
          <SilentRunner job={job} attempt={attempt} />
        </Suspense>
      ) : null}
      {message !== null && message !== job.message ? <Notice tone="info">{message}</Notice> : null}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {omitted > 0 ? <Notice tone="warn">{text.moreWarnings(omitted)}</Notice> : null}
    </>
  );
}

function sectionWords(log: LogStream, attempt: Attempt): SectionWords {
  const { kind, name, step: position } = log.stream;
  const plain = { status: null, duration: null, aside: null };
  if (kind === "setup") return { ...plain, name: text.setup };
  if (kind === "service") return { ...plain, name: text.service(name) };
  if (kind === "shell") return { ...plain, name: text.shell(name) };
  const step = attempt.steps.find((one) => one.position === position);
  if (!step) return { ...plain, name: name || streamKey(log) };
  return {
    name: step.name,
    status: step.status,
    duration: step.duration,
    aside: step.exit_code ? text.exitCode(step.exit_code) : step.message,
    isParallel: step.parallel !== null,
  };
}

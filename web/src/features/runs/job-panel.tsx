/** The chosen job: how it stands and why, its attempts, and their logs, also two side by side. */
import { RotateCcw } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import type { WatchedStatus } from "@forgeline/client/watch-session.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/runs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { isUnsuccessful, isOver } from "../../ui/statuses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { AttemptLog } from "./attempt-log.tsx";
import styles from "./job-panel.module.css";
import { formatRunHash, type RunHash } from "./run-hash.ts";
import { JobRights } from "./job-rights.tsx";
import { useMayRun, useRerun } from "./run-actions.tsx";
import { addressOf, type Attempt, type Job, type Run } from "./run-status.ts";

const FirstErrorButton = lazy(async () => ({
  default: (await fetchPart(() => import("../logs/first-error-button.tsx"))).FirstErrorButton,
}));
/** Most jobs give nothing to others. */
const JobOutputs = lazy(async () => ({
  default: (await fetchPart(() => import("./job-outputs.tsx"))).JobOutputs,
}));
const ShellActions = lazy(async () => ({
  default: (await fetchPart(() => import("../shells/shell-actions.tsx"))).ShellActions,
}));
const SlotHolders = lazy(async () => ({
  default: (await fetchPart(() => import("../concurrency/slot-holders.tsx"))).SlotHolders,
}));

export interface JobPanelProps {
  run: Run;
  job: Job;
  /** What the address names; of another job perhaps. */
  place: RunHash | null;
  onStatus: (status: WatchedStatus) => void;
}

export function JobPanel({ run, job, place, onStatus }: JobPanelProps) {
  const [besideNumber, setBeside] = useState<number | null>(null);
  const ownPlace = place && (place.job === job.id || place.job === job.key) ? place : null;
  const newest = job.attempts.at(-1);
  const chosen = job.attempts.find(({ attempt }) => attempt === ownPlace?.attempt) ?? newest;
  const beside = job.attempts.find(({ attempt }) => attempt === besideNumber && attempt !== chosen?.attempt);
  return (
    <section className={styles.panel} aria-label={`${text.job} ${job.name}`}>
      <JobHead run={run} job={job} />
      <QueueReason run={run} job={job} />
      {chosen && job.attempts.length > 1 ? (
        <Attempts job={job} chosen={chosen} beside={beside} onBeside={setBeside} />
      ) : null}
      {chosen ? (
        <div className={beside ? styles.sideBySide : styles.single}>
          <AttemptLog
            key={chosen.id}
            run={run}
            job={job}
            attempt={chosen}
            place={ownPlace}
            onStatus={onStatus}
          />
          {beside ? (
            <AttemptLog
              key={beside.id}
              run={run}
              job={job}
              attempt={beside}
              place={null}
              onStatus={onStatus}
            />
          ) : null}
        </div>
      ) : (
        <EmptyState title={text.notStarted}>
          {job.message}
          <Suspense>{job.concurrency ? <SlotHolders wait={job.concurrency} /> : null}</Suspense>
        </EmptyState>
      )}
    </section>
  );
}

function JobHead({ run, job }: { run: Run; job: Job }) {
  const mayRun = useMayRun();
  const { archived, permissions } = useRepository();
  const mayShell = permissions === "maintain" || permissions === "admin";
  const rerun = useRerun();
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.name}>{job.name}</h2>
        <StatusMark status={job.status} />
        {job.allowed_failure ? <Badge tone="warn">{text.allowedFailure}</Badge> : null}
        {job.debug ? <Badge tone="info">{text.debug}</Badge> : null}
        <JobRights job={job} />
        {job.duration === null ? null : <span className={styles.soft}>{formatSeconds(job.duration)}</span>}
        {job.needs.length > 0 ? (
          <span className={styles.soft}>{text.needs(job.needs.join(", "))}</span>
        ) : null}
        <Token job={job} />
        {isUnsuccessful(job.status) && job.attempts.length > 0 ? (
          <Suspense>
            <FirstErrorButton key={job.id} job={job.id} />
          </Suspense>
        ) : null}
        {mayRun && !archived && isOver(run.status) && job.attempts.length > 0 ? <RerunJob job={job} /> : null}
        <Suspense>
          {mayShell &&
          job.attempts.length > 0 &&
          !(isOver(run.status) && (archived || job.status === "success")) ? (
            <ShellActions
              job={job}
              rerun={isOver(run.status) ? () => rerun.mutate({ from: `job:${job.id}` }) : null}
            />
          ) : null}
        </Suspense>
      </div>
      <Suspense>
        {job.matrix || job.outputs_omitted || Object.keys(job.outputs).length > 0 ? (
          <JobOutputs run={run} job={job} />
        ) : null}
      </Suspense>
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

function RerunJob({ job }: { job: Job }) {
  const rerun = useRerun();
  const from = `job:${job.id}`;
  return (
    <Menu
      label={text.rerunJob}
      trigger={
        <Button className={styles.rerun} kind="quiet" icon={<RotateCcw aria-hidden />} busy={rerun.isPending}>
          {text.rerunJob}
        </Button>
      }
      items={[
        { kind: "action", label: text.rerunPlain, onSelect: () => rerun.mutate({ from }) },
        { kind: "action", label: text.rerunDebug, onSelect: () => rerun.mutate({ from, debug: true }) },
      ]}
    />
  );
}

/** Only where the message is not all there is to see, and not above already as what holds of the run. */
function QueueReason({ run, job }: { run: Run; job: Job }): ReactNode {
  if (job.message === null || job.attempts.length === 0) return null;
  if (job.message === run.message && run.status !== "running") return null;
  const tone = isUnsuccessful(job.status) ? "warn" : "info";
  return (
    <Notice tone={tone} title={isOver(job.status) ? text.whyFailed : text.whyWaiting}>
      {job.message}
    </Notice>
  );
}

function Attempts(props: {
  job: Job;
  chosen: Attempt;
  beside: Attempt | undefined;
  onBeside: (attempt: number | null) => void;
}) {
  const { job, chosen, beside, onBeside } = props;
  const navigate = useNavigate();
  const choose = (attempt: number) =>
    void navigate(
      { hash: formatRunHash({ job: addressOf(job), attempt, step: null, line: null }) },
      { replace: true, preventScrollReset: true },
    );
  return (
    <div className={styles.attempts}>
      <div role="group" aria-label={text.attempts} className={styles.choices}>
        {job.attempts.map(({ id, attempt, status, message }) => (
          <button
            key={id}
            type="button"
            aria-pressed={attempt === chosen.attempt}
            title={message ?? undefined}
            onClick={() => choose(attempt)}
          >
            <StatusMark status={status} bare /> {text.attempt(attempt)}
          </button>
        ))}
      </div>
      <label className={styles.beside}>
        {text.beside}
        <select
          value={beside?.attempt ?? ""}
          onChange={(event) => onBeside(event.target.value === "" ? null : Number(event.target.value))}
        >
          <option value="">{text.besideNone}</option>
          {job.attempts
            .filter(({ attempt }) => attempt !== chosen.attempt)
            .map(({ attempt }) => (
              <option key={attempt} value={attempt}>
                {text.attempt(attempt)}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}

/** The chosen job: how it stands and why, its attempts, and their logs, also two side by side. */
import { RotateCcw } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";
import type { WatchedStatus } from "@forgeline/client/watch-session.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/runs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { formatSeconds } from "../../ui/time.tsx";
import { isUnsuccessful, isOver } from "../../ui/statuses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { AttemptLog } from "./attempt-log.tsx";
import styles from "./job-panel.module.css";
import { type RunHash } from "./run-hash.ts";
import { useMayRun, useRerun } from "./run-actions.tsx";
import { type Job, type Run } from "./run-status.ts";

/** Most jobs have one attempt. */
const AttemptsBar = lazy(async () => ({
  default: (await fetchPart(() => import("./attempts-bar.tsx"))).AttemptsBar,
}));
const ChildLinks = lazy(async () => ({
  default: (await fetchPart(() => import("./relatives.tsx"))).ChildLinks,
}));
const FirstErrorButton = lazy(async () => ({
  default: (await fetchPart(() => import("../logs/first-error-button.tsx"))).FirstErrorButton,
}));
/** Most jobs give nothing to others. */
const JobOutputs = lazy(async () => ({
  default: (await fetchPart(() => import("./job-outputs.tsx"))).JobOutputs,
}));
const JobCredentials = lazy(async () => ({
  default: (await fetchPart(() => import("./job-credentials.tsx"))).JobCredentials,
}));
const JobRights = lazy(async () => ({
  default: (await fetchPart(() => import("./job-rights.tsx"))).JobRights,
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
        <Suspense>
          <AttemptsBar job={job} chosen={chosen} beside={beside} onBeside={setBeside} />
        </Suspense>
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
  const children = run.children.filter((child) => child.job === job.id);
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.name}>{job.name}</h2>
        <StatusMark status={job.status} />
        {job.allowed_failure ? <Badge tone="warn">{text.allowedFailure}</Badge> : null}
        {job.debug ? <Badge tone="info">{text.debug}</Badge> : null}
        {hasRights(job) ? (
          <Suspense>
            <JobRights job={job} />
          </Suspense>
        ) : null}
        {job.duration === null ? null : <span className={styles.soft}>{formatSeconds(job.duration)}</span>}
        {job.needs.length > 0 ? (
          <span className={styles.soft}>{text.needs(job.needs.join(", "))}</span>
        ) : null}
        {isUnsuccessful(job.status) && job.attempts.length > 0 ? (
          <Suspense>
            <FirstErrorButton key={job.id} job={job.id} />
          </Suspense>
        ) : null}
        {mayRun && !archived && isOver(run.status) && job.attempts.length > 0 ? <RerunJob job={job} /> : null}
        <Suspense>
          {children.length > 0 ? <ChildLinks runs={children} /> : null}
          {mayShell &&
          children.length === 0 &&
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
      {mayRun && job.attempts.length > 0 ? <Credentials key={job.id} run={run} job={job} /> : null}
    </>
  );
}

/** Asked for when somebody wants to know. */
function Credentials({ run, job }: { run: Run; job: Job }) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked)
    return (
      <Suspense fallback={<Skeleton lines={2} />}>
        <JobCredentials run={run} job={job} />
      </Suspense>
    );
  return (
    <div>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        {text.showCredentials}
      </Button>
    </div>
  );
}

/** Whether there may be something to say of them; most jobs have what their runner permits and a token that only reads. */
function hasRights({ network, privileged, permissions }: Job): boolean {
  return network !== null || privileged || permissions.join() !== "repo:read";
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

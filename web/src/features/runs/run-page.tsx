/** The page of a run: what it is, its jobs as a graph or along time, and the log of the chosen job. */
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import type { WatchedStatus } from "@forgeline/client/watch-session.ts";
import { $api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text } from "../../text/runs.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Segments } from "../../ui/segments.tsx";
import { RunLogSearch } from "../logs/run-log-search.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { JobPanel } from "./job-panel.tsx";
import { formatRunHash, parseRunHash } from "./run-hash.ts";
import { RunActions } from "./run-actions.tsx";
import { RunFacts, RunProblems } from "./run-facts.tsx";
import { RunGraph } from "./run-graph.tsx";
import { RunHistory } from "./run-history.tsx";
import { RunLeft } from "./run-left.tsx";
import { addressOf, jobAt, jobsOf, jobToShowFirst, type Job, type Run } from "./run-status.ts";
import styles from "./run-page.module.css";
import { StatusMark } from "../../ui/status.tsx";
import { isOver } from "../../ui/statuses.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** While a run is in progress, beside what its socket tells; and while there is no log yet, whose socket could tell. */
const refetchMs = 4_000;
const refetchBeforeStartMs = 1_000;
const TimeLine = lazy(async () => ({
  default: (await fetchPart(() => import("./time-line.tsx"))).TimeLine,
}));
/** Few runs wait for people. */
const Approvals = lazy(async () => ({
  default: (await fetchPart(() => import("./approvals.tsx"))).Approvals,
}));
/** Few come from a fork. */
const ForkApproval = lazy(async () => ({
  default: (await fetchPart(() => import("./fork-approval.tsx"))).ForkApproval,
}));
/** As most files do, most runs have none. */
const Templates = lazy(async () => ({
  default: (await fetchPart(() => import("../pipelines/templates.tsx"))).Templates,
}));
/** Few runs start others. */
const Relatives = lazy(async () => ({
  default: (await fetchPart(() => import("./relatives.tsx"))).Relatives,
}));
const views = { graph: RunGraph, timeLine: TimeLine };
/** Changes that come closer together are requested together. */
const togetherMs = 400;

export function RunPage() {
  const { number = "" } = useParams();
  const path = { ...useRepositoryPath(), id: number };
  const run = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/pipelines/{id}",
    { params: { path } },
    { refetchInterval: ({ state: { data, error } }) => pollUnlessRefused(error, refetchIntervalOf(data)) },
  );
  return (
    <QueryView query={run} lines={8}>
      {(found) => <RunView key={found.id} run={found} />}
    </QueryView>
  );
}

function refetchIntervalOf(run: Run | undefined): number | false {
  if (run && isOver(run.status)) return false;
  // People take longer.
  if (run?.status === "awaiting_approval") return refetchMs;
  return run && jobsOf(run).every(({ attempts }) => attempts.length === 0) ? refetchBeforeStartMs : refetchMs;
}

/** What few runs have. */
function RareParts({ run }: { run: Run }) {
  const { templates, approvals, fork_approval: fork, parent, children } = run;
  return (
    <>
      {parent !== null || children.length > 0 ? (
        <Suspense fallback={<Skeleton />}>
          <Relatives run={run} />
        </Suspense>
      ) : null}
      {templates.length > 0 ? (
        <Suspense fallback={<Skeleton />}>
          <Templates templates={templates} heading="h2" />
        </Suspense>
      ) : null}
      {fork ? (
        <Suspense fallback={<Skeleton />}>
          <ForkApproval fork={fork} />
        </Suspense>
      ) : null}
      {approvals.length > 0 ? (
        <Suspense fallback={<Skeleton />}>
          <Approvals gates={approvals} />
        </Suspense>
      ) : null}
    </>
  );
}

function RunView({ run }: { run: Run }) {
  const repository = useRepository();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const [view, setView] = useState<keyof typeof views>("graph");
  const onStatus = useStatusNews();
  const place = parseRunHash(hash);
  const jobs = jobsOf(run);
  // What somebody reads does not change under them when another job becomes more telling.
  const [kept, setKept] = useState<string | null>(null);
  const keptJob = jobs.find(({ id }) => id === kept);
  const isKept = !place || place.job === keptJob?.key;
  const job = (isKept ? keptJob : jobAt(jobs, place.job)) ?? jobToShowFirst(jobs);
  if (kept === null && job && job.attempts.length > 0) setKept(job.id);
  const choose = (chosen: Job) =>
    void navigate(
      { hash: formatRunHash({ job: addressOf(chosen), attempt: null, step: null, line: null }) },
      { preventScrollReset: true },
    );
  const View = views[view];
  const ended = endedAttempts(jobs);
  return (
    <Page
      title={text.title(run.number)}
      within={repository.full_name}
      heading={
        <span className={styles.heading}>
          <StatusMark status={run.status} /> {text.title(run.number)}{" "}
          <span className={styles.name}>{run.name}</span>
        </span>
      }
      actions={<RunActions run={run} />}
    >
      <RunFacts run={run} />
      <RunProblems run={run} />
      <RareParts run={run} />
      {jobs.length === 0 ? (
        run.error ? null : (
          <EmptyState title={text.noJobs}>{run.message ?? text.noJobsHint}</EmptyState>
        )
      ) : (
        <>
          <Segments
            label={text.view}
            choices={{ graph: text.graph, timeLine: text.timeLine }}
            value={view}
            onChange={setView}
          />
          <Suspense fallback={<Skeleton />}>
            <View run={run} chosen={job} onChoose={choose} />
          </Suspense>
          {jobs.some(({ attempts }) => attempts.length > 0) ? <RunLogSearch /> : null}
          {job ? <JobPanel key={job.id} run={run} job={job} place={place} onStatus={onStatus} /> : null}
          {ended > 0 ? <RunLeft run={run} version={String(ended)} /> : null}
          <RunHistory run={run} />
        </>
      )}
    </Page>
  );
}

/** Changes with each attempt that ends: it may have left artifacts. */
function endedAttempts(jobs: readonly Job[]): number {
  return jobs.flatMap(({ attempts }) => attempts).filter(({ status }) => isOver(status)).length;
}

/** Asks for the run again when its socket tells of something that is not shown yet. */
function useStatusNews(): (status: WatchedStatus) => void {
  const queryClient = useQueryClient();
  const { owner, repo } = useRepositoryPath();
  const { number = "" } = useParams();
  const timer = useRef(0);
  const shown = useRef<{ run: Run; statuses: Map<string, string> }>(null);
  return useCallback(
    ({ id, status }) => {
      if (timer.current !== 0) return;
      const { queryKey } = $api.queryOptions("get", "/repos/{owner}/{repo}/pipelines/{id}", {
        params: { path: { owner, repo, id: number } },
      });
      const run = queryClient.getQueryData<Run>(queryKey);
      if (run && shown.current?.run !== run) shown.current = { run, statuses: statusesOf(run) };
      if (shown.current?.statuses.get(id) === status) return;
      timer.current = window.setTimeout(() => {
        timer.current = 0;
        void queryClient.invalidateQueries({ queryKey });
      }, togetherMs);
    },
    [queryClient, owner, repo, number],
  );
}

/** Of the run and of all stages, jobs and steps in it, by their ids. */
function statusesOf(run: Run): Map<string, string> {
  const jobs = jobsOf(run);
  const steps = jobs.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.steps));
  return new Map([run, ...run.stages, ...jobs, ...steps].map(({ id, status }) => [id, status]));
}

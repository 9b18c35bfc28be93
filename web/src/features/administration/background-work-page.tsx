/** What Temporal runs for the instance, waits for and has failed at. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/background-work.ts";
import { text as schedules } from "../../text/upkeep-schedules.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { formatSeconds, Time } from "../../ui/time.tsx";
import { SchedulesSection } from "../upkeep-schedules/schedules-section.tsx";
import { useWork } from "./use-background-work.ts";
import { workAddress, StepState, stepWords, Subject, WorkState } from "./background-work-words.tsx";
import styles from "./background-work.module.css";
import { useWorkFilter, WorkFilterFields } from "./work-filter.tsx";

const lookEveryMs = 5_000;

type Overview = Schemas["WorkOverview"];
type Work = Schemas["Work"];

export function BackgroundWorkPage() {
  const overview = $api.useQuery(
    "get",
    "/admin/work/overview",
    {},
    { refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs) },
  );
  return (
    <Page
      title={text.title}
      within={administration.administration}
      lead={text.lead}
      actions={<a href="#schedules">{schedules.title}</a>}
    >
      <QueryView query={overview}>{(found) => <WorkOverview overview={found} />}</QueryView>
      {/* All of it comes from Temporal: that it is away is told once. */}
      {overview.data ? <WorkList /> : null}
      {overview.data ? <SchedulesSection /> : null}
    </Page>
  );
}

function WorkOverview({ overview }: { overview: Overview }) {
  const { workers, decisions, steps, handover, counts } = overview;
  const sum = (fits: (state: Work["state"]) => boolean) =>
    formatCount(counts.reduce((all, one) => all + (fits(one.state) ? one.count : 0), 0));
  const tasks = decisions.tasks + steps.tasks;
  const oldest = Math.max(decisions.oldest_seconds, steps.oldest_seconds);
  return (
    <>
      {workers.length === 0 ? (
        <Notice tone="bad" title={text.noWorker}>
          {text.noWorkerHint}
        </Notice>
      ) : null}
      {handover.refused > 0 ? (
        <Notice tone="bad" title={text.refusedTitle(formatCount(handover.refused))}>
          {text.refusedHint}
        </Notice>
      ) : null}
      <Facts
        facts={[
          { name: text.workers, value: <Workers workers={workers} /> },
          { name: text.runningNow, value: sum((state) => state === "running") },
          {
            name: text.unsuccessful,
            value: sum((state) => state === "failed" || state === "timed_out" || state === "terminated"),
          },
          {
            name: text.waitingForWorker,
            value:
              tasks === 0 ? "0" : `${formatCount(tasks)}, ${text.oldest(formatSeconds(Math.round(oldest)))}`,
          },
          { name: text.handover, value: formatCount(handover.waiting) },
        ]}
      />
    </>
  );
}

function Workers({ workers }: { workers: Overview["workers"] }) {
  if (workers.length === 0) return <>0</>;
  return (
    <ul className={styles.plain}>
      {workers.map(({ name, last_seen_at: at }) => (
        <li key={name}>
          <code>{name}</code> <Time at={at} />
        </li>
      ))}
    </ul>
  );
}

function WorkList() {
  const [filter, setFilter] = useWorkFilter();
  const isFiltered = Object.keys(filter).length > 0;
  const pages = useWork(filter);
  return (
    <>
      <WorkFilterFields filter={filter} onChange={setFilter} />
      <PagedTable
        pages={pages}
        dense
        caption={text.title}
        keyOf={({ execution }) => execution}
        empty={
          <EmptyState title={isFiltered ? text.emptyFiltered : text.empty}>
            {isFiltered ? text.emptyFilteredHint : text.emptyHint}
          </EmptyState>
        }
        columns={[
          {
            title: text.kind,
            clear: true,
            cell: (work) => <Link to={workAddress(work)}>{text.kinds[work.kind]}</Link>,
          },
          { title: text.about, clear: true, cell: (work) => <Subject work={work} /> },
          { title: text.state, clear: true, cell: (work) => <WorkState work={work} /> },
          {
            title: text.waitsFor,
            wide: true,
            cell: ({ waiting_for: steps }) => (steps.length === 0 ? null : <WaitsFor steps={steps} />),
          },
          { title: text.started, clear: true, cell: (work) => <Time at={work.started_at} /> },
          {
            title: text.took,
            clear: true,
            align: "end",
            cell: ({ duration_ms: ms }) => formatSeconds(ms === null ? null : ms / 1000),
          },
        ]}
      />
    </>
  );
}

function WaitsFor({ steps }: { steps: Work["waiting_for"] }) {
  return (
    <ul className={styles.plain}>
      {steps.map((step) => (
        <li key={`${step.name} ${step.since} ${step.repository ?? ""}`}>
          {stepWords(step)} <StepState step={step} />
        </li>
      ))}
    </ul>
  );
}

/** What Temporal runs for the instance, waits for and has failed at. */
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { unlessRefused } from "../../api/polling.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/background-work.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { formatSeconds, Time } from "../../ui/time.tsx";
import { useWork, type WorkFilter } from "./use-background-work.ts";
import { workAddress, StepState, stepWords, Subject, WorkState } from "./background-work-words.tsx";
import styles from "./background-work.module.css";

const lookEveryMs = 5_000;

type Overview = Schemas["WorkOverview"];
type Work = Schemas["Work"];

export function BackgroundWorkPage() {
  const overview = $api.useQuery(
    "get",
    "/admin/work/overview",
    {},
    { refetchInterval: ({ state }) => unlessRefused(state.error, lookEveryMs) },
  );
  return (
    <Page title={text.title} within={administration.administration} lead={text.lead}>
      <QueryView query={overview}>{(found) => <WorkOverview overview={found} />}</QueryView>
      {/* Both come from Temporal: that it is away is told once. */}
      {overview.data ? <WorkList /> : null}
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

function useFilter(): [WorkFilter, (name: "kind" | "state", value: string) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = <Words extends object>(words: Words, name: string) =>
    Object.keys(words).find((word) => word === query.get(name)) as keyof Words | undefined;
  const { other: _, ...kinds } = text.kinds;
  const kind = chosen(kinds, "kind");
  const state = chosen(text.filters, "state");
  const filter = { ...(kind === undefined ? {} : { kind }), ...(state === undefined ? {} : { state }) };
  return [
    filter,
    (name, value) =>
      setQuery((before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      }),
  ];
}

function WorkList() {
  const [filter, setFilter] = useFilter();
  const isFiltered = Object.keys(filter).length > 0;
  const pages = useWork(filter);
  return (
    <>
      <div className={styles.filters}>
        <SelectField
          label={text.state}
          value={filter.state ?? ""}
          onChange={(event) => setFilter("state", event.target.value)}
        >
          <option value="">{text.anyState}</option>
          {Object.entries(text.filters).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={text.kind}
          value={filter.kind ?? ""}
          onChange={(event) => setFilter("kind", event.target.value)}
        >
          <option value="">{text.anyKind}</option>
          {Object.entries(text.kinds).map(([value, word]) =>
            value === "other" ? null : (
              <option key={value} value={value}>
                {word}
              </option>
            ),
          )}
        </SelectField>
      </div>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ execution }) => execution}
        empty={
          <EmptyState title={isFiltered ? text.emptyFiltered : text.empty}>
            {isFiltered ? text.emptyFilteredHint : text.emptyHint}
          </EmptyState>
        }
        columns={[
          { title: text.kind, cell: (work) => <Link to={workAddress(work)}>{text.kinds[work.kind]}</Link> },
          { title: text.about, cell: (work) => <Subject work={work} /> },
          { title: text.state, cell: (work) => <WorkState work={work} /> },
          { title: text.waitsFor, wide: true, cell: (work) => <WaitsFor work={work} /> },
          { title: text.started, cell: (work) => <Time at={work.started_at} /> },
          {
            title: text.took,
            align: "end",
            cell: ({ duration_ms: ms }) => formatSeconds(ms === null ? null : ms / 1000),
          },
        ]}
      />
    </>
  );
}

function WaitsFor({ work: { waiting_for: steps } }: { work: Work }) {
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

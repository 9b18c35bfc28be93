/** What runs of a period add up to: facts, plots by day, and all numbers in a table. */
import { lazy, Suspense, type ReactNode } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { dayNames, text, tookText } from "../../text/run-statistics.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/page.tsx";
import { formatCount } from "../../ui/size.ts";
import { Table } from "../../ui/table.tsx";
import styles from "./run-statistics.module.css";

const plots = () => fetchPart(() => import("./day-plots.tsx"));
const OutcomesPlot = lazy(async () => ({ default: (await plots()).OutcomesPlot }));
const DurationsPlot = lazy(async () => ({ default: (await plots()).DurationsPlot }));
const MinutesPlot = lazy(async () => ({ default: (await plots()).MinutesPlot }));

type Statistics = Schemas["PipelineStatistics"];
type Day = Schemas["DayOfRuns"];

export function SumsSections({ statistics }: { statistics: Statistics }) {
  const { by_day: days } = statistics;
  if (statistics.runs === 0) return <EmptyState title={text.emptyTitle}>{text.empty}</EmptyState>;
  const broken = statistics.failed + statistics.errors;
  const other = statistics.cancelled + statistics.skipped;
  return (
    <>
      <Totals statistics={statistics} />
      <Section title={text.outcomes} lead={text.outcomesLead(statistics.succeeded, broken, other)}>
        <Picture>
          <OutcomesPlot days={days} />
        </Picture>
        <DaysTable days={days} />
      </Section>
      <Section title={text.durations} lead={text.durationsLead}>
        <Picture>
          <DurationsPlot days={days} />
        </Picture>
      </Section>
      <Section title={text.minutesByDay} lead={text.minutesLead}>
        <Picture>
          <MinutesPlot days={days} />
        </Picture>
      </Section>
    </>
  );
}

const shown = (seconds: number | undefined) => (seconds === undefined ? text.none : tookText(seconds));

function Totals({ statistics }: { statistics: Statistics }) {
  const { duration, queue_time: waited } = statistics;
  return (
    <Facts
      facts={[
        { name: text.runs, value: formatCount(statistics.runs) },
        { name: text.successRate, value: text.percent(statistics.success_rate) },
        { name: text.duration, value: shown(duration?.p50) },
        { name: text.most, value: shown(duration?.p90) },
        { name: text.waited, value: shown(waited?.p50) },
        { name: text.waitedMost, value: shown(waited?.p90) },
        { name: text.minutes, value: text.minutesOf(statistics.runner_minutes) },
        { name: text.attempts, value: formatCount(statistics.attempts) },
      ]}
    />
  );
}

/** Keeps the plot's room while it is fetched. What it shows stands in words and in the table. */
function Picture({ children }: { children: ReactNode }) {
  return (
    <div className={styles.plot} aria-hidden>
      <Suspense>{children}</Suspense>
    </div>
  );
}

function DaysTable({ days }: { days: readonly Day[] }) {
  return (
    <details className={styles.numbers}>
      <summary>{text.asTable}</summary>
      <div className={styles.scroll}>
        <Table
          caption={`${text.outcomes}. ${text.tableHint}`}
          rows={days.filter(({ runs }) => runs > 0).toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { title: text.day, wide: true, cell: ({ day }) => dayNames.full(day) },
            { title: text.runs, align: "end", cell: ({ runs }) => formatCount(runs) },
            { title: text.successRate, align: "end", cell: (day) => text.percent(day.success_rate) },
            { title: text.duration, align: "end", cell: ({ duration }) => shown(duration?.p50) },
            { title: text.most, align: "end", cell: ({ duration }) => shown(duration?.p90) },
            { title: text.minutes, align: "end", cell: (day) => text.minutesOf(day.runner_minutes) },
          ]}
        />
      </div>
    </details>
  );
}

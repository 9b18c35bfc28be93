/** Commits and lines of each week as plots, with all numbers in a table below. */
import { lazy, Suspense, type ReactNode } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text, weekNames } from "../../text/statistics.ts";
import { Section } from "../../ui/page.tsx";
import { formatCount } from "../../ui/size.ts";
import { Table } from "../../ui/table.tsx";
import styles from "./statistics.module.css";

const plots = () => fetchPart(() => import("./week-plots.tsx"));
const CommitsPlot = lazy(async () => ({ default: (await plots()).CommitsPlot }));
const LinesPlot = lazy(async () => ({ default: (await plots()).LinesPlot }));

type Week = Schemas["WeekOfCommits"];

export function WeeksSections({ statistics }: { statistics: Schemas["CommitStatistics"] }) {
  const { weeks, total_commits: total } = statistics;
  const sum = (of: "commits" | "additions" | "deletions") =>
    weeks.reduce((before, week) => before + week[of], 0);
  const busiest = weeks.reduce<Week | undefined>(
    (max, week) => (week.commits > (max?.commits ?? 0) ? week : max),
    undefined,
  );
  return (
    <>
      <Section
        title={text.commits}
        lead={
          <>
            {text.commitsLead(total, weeks.length, sum("commits"))}{" "}
            {busiest ? text.busiest(busiest.week, busiest.commits) : text.none}
          </>
        }
      >
        {busiest ? (
          <>
            <Picture>
              <CommitsPlot weeks={weeks} />
            </Picture>
            <WeeksTable weeks={weeks} />
          </>
        ) : null}
      </Section>
      {busiest ? (
        <Section
          title={text.lines}
          lead={text.linesLead(formatCount(sum("additions")), formatCount(sum("deletions")))}
        >
          <Picture>
            <LinesPlot weeks={weeks} />
          </Picture>
        </Section>
      ) : null}
    </>
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

function WeeksTable({ weeks }: { weeks: readonly Week[] }) {
  return (
    <details className={styles.numbers}>
      <summary>{text.asTable}</summary>
      <div className={styles.scroll}>
        <Table
          caption={`${text.commits}. ${text.tableHint}`}
          rows={weeks.filter(({ commits }) => commits > 0).toReversed()}
          keyOf={({ week }) => week}
          columns={[
            { title: text.week, wide: true, cell: ({ week }) => weekNames.full(week) },
            { title: text.commitColumn, align: "end", cell: ({ commits }) => formatCount(commits) },
            { title: text.added, align: "end", cell: ({ additions }) => formatCount(additions) },
            { title: text.deleted, align: "end", cell: ({ deletions }) => formatCount(deletions) },
          ]}
        />
      </div>
    </details>
  );
}

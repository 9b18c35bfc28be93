/** How deployments to an environment went: how often, how much of it failed, and how long changes and repairs took. */
import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/environments.ts";
import { dayNames, text as words, tookText } from "../../text/run-statistics.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Table } from "../../ui/table.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { PeriodField } from "../run-statistics/period-field.tsx";
import styles from "../run-statistics/run-statistics.module.css";
import { usePeriod } from "../run-statistics/use-period.ts";

type Statistics = Schemas["DeploymentStatistics"];

export function DeploymentStatistics({ environment }: { environment: string }) {
  const choice = usePeriod();
  const params = { path: { ...useRepositoryPath(), name: environment }, query: { days: choice.days } };
  const root = "/repos/{owner}/{repo}/environments/{name}/statistics" as const;
  const query = $api.useQuery("get", root, { params }, { placeholderData: keepPreviousData });
  return (
    <Section title={text.statistics} lead={text.statisticsLead}>
      <p>
        <a href="/docs/pipelines/environments#statistics">{words.docs}</a>
      </p>
      <div className={styles.filters}>
        <PeriodField {...choice} />
      </div>
      <QueryView query={query}>
        {(found) => (
          <>
            <Facts facts={factsOf(found)} />
            {found.deployments > 0 ? <Days days={found.by_day} /> : null}
          </>
        )}
      </QueryView>
    </Section>
  );
}

const shown = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? words.none : tookText(seconds);

function factsOf(found: Statistics) {
  const { lead_time: lead } = found;
  return [
    { name: text.history, value: formatCount(found.deployments) },
    { name: text.often, value: text.oftenOf(found.per_day, found.per_week) },
    { name: words.successRate, value: words.percent(found.success_rate) },
    { name: text.failureRate, value: words.percent(found.failure_rate) },
    { name: text.leadHalf, value: shown(lead?.p50) },
    { name: text.leadMost, value: shown(lead?.p90) },
    { name: text.restored, value: shown(found.restore_time) },
  ];
}

function Days({ days }: { days: Statistics["by_day"] }) {
  return (
    <details className={styles.numbers}>
      <summary>{text.byDay}</summary>
      <div className={styles.scroll}>
        <Table
          caption={`${text.byDay}. ${text.byDayHint}`}
          rows={days.filter(({ deployments }) => deployments > 0).toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { title: words.day, wide: true, cell: ({ day }) => dayNames.full(day) },
            { title: text.history, align: "end", cell: (each) => formatCount(each.deployments) },
            { title: words.succeeded, align: "end", cell: (each) => formatCount(each.succeeded) },
            { title: words.failed, align: "end", cell: (each) => formatCount(each.failed) },
            { title: text.cancelled, align: "end", cell: (each) => formatCount(each.cancelled) },
            { title: text.undone, align: "end", cell: (each) => formatCount(each.rolled_back) },
          ]}
        />
      </div>
    </details>
  );
}

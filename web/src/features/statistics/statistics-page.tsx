/** The dashboard of a repository: commits and lines by week, who wrote them, and in which languages. */
import { text } from "../../text/statistics.ts";
import { SelectField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ContributorsSection } from "./contributors-section.tsx";
import { StatisticsTabs } from "./statistics-tabs.tsx";
import styles from "./statistics.module.css";
import { LanguagesSection } from "./languages-section.tsx";
import { StatisticsLead, Computed } from "./statistics-state.tsx";
import { fittingWeeks, useCommitStatistics, defaultWeeks, useWeeks } from "./use-statistics.ts";
import { WeeksSections } from "./weeks-sections.tsx";

export function StatisticsPage() {
  const { full_name: fullName, default_branch: branch } = useRepository();
  const [weeks, chooseWeeks] = useWeeks(text.spans);
  const commits = useCommitStatistics(weeks ?? defaultWeeks);
  const shown = commits.data && weeks === null ? fittingWeeks(commits.data) : commits.data;
  return (
    <Page title={text.title} within={fullName}>
      <StatisticsTabs />
      <div className={styles.head}>
        <StatisticsLead head={commits.data}>{text.lead(branch)}</StatisticsLead>
        <SpanField value={shown?.weeks.length ?? defaultWeeks} onChoose={chooseWeeks} />
      </div>
      <QueryView query={{ data: shown, error: commits.error }} lines={10}>
        {(found) => (
          <Computed head={found}>
            <WeeksSections statistics={found} />
            <LanguagesSection />
            <ContributorsSection weeks={found.weeks} commit={found.commit} />
          </Computed>
        )}
      </QueryView>
    </Page>
  );
}

function SpanField({ value, onChoose }: { value: number; onChoose: (weeks: string) => void }) {
  return (
    <SelectField label={text.span} value={String(value)} onChange={(event) => onChoose(event.target.value)}>
      {Object.entries(text.spans).map(([weeks, label]) => (
        <option key={weeks} value={weeks}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

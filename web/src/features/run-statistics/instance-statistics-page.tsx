/** How all runs of the instance go, and what each repository costs; for administrators. */
import { keepPreviousData } from "@tanstack/react-query";
import { $api, api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/run-statistics.ts";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { CostsSection } from "./costs-section.tsx";
import { PeriodField } from "./period-field.tsx";
import styles from "./run-statistics.module.css";
import { SumsSections } from "./sums-sections.tsx";
import { usePeriod } from "./use-period.ts";

export function InstanceStatisticsPage() {
  const choice = usePeriod();
  const { days } = choice;
  const sums = $api.useQuery(
    "get",
    "/admin/pipelines/statistics",
    { params: { query: { days } } },
    { placeholderData: keepPreviousData },
  );
  const pages = usePages(["runner-time", days], (page) =>
    api.GET("/admin/pipelines/statistics/repositories", { params: { query: { ...page, days } } }),
  );
  return (
    <Page title={text.title} within={administration.administration} lead={text.lead}>
      <div className={styles.filters}>
        <PeriodField {...choice} />
      </div>
      <QueryView query={sums} lines={10}>
        {(found) => (
          <>
            <SumsSections statistics={found} />
            {found.runs > 0 ? <CostsSection pages={pages} days={days} /> : null}
          </>
        )}
      </QueryView>
    </Page>
  );
}

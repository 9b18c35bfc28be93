/** How the runs of an organization go, and what each repository costs; for its owners. */
import { keepPreviousData } from "@tanstack/react-query";
import { $api, api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/run-statistics.ts";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useOrganization } from "../organizations/use-organization.ts";
import { CostsSection } from "./costs-section.tsx";
import { PeriodField } from "./period-field.tsx";
import styles from "./run-statistics.module.css";
import { SumsSections } from "./sums-sections.tsx";
import { usePeriod } from "./use-period.ts";

export function OrganizationStatisticsPage() {
  const { org } = useOrganization();
  const choice = usePeriod();
  const { days } = choice;
  const path = { org };
  const sums = $api.useQuery(
    "get",
    "/orgs/{org}/pipelines/statistics",
    { params: { path, query: { days } } },
    { placeholderData: keepPreviousData },
  );
  const pages = usePages(["runner-time", org, days], (page) =>
    api.GET("/orgs/{org}/pipelines/statistics/repositories", {
      params: { path, query: { ...page, days } },
    }),
  );
  return (
    <Page title={text.title} within={org} lead={text.lead}>
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

/** The merge requests of a repository; filters and page stand in the address. */
import { Link, useSearchParams } from "react-router";
import { text } from "../../text/merge-requests.ts";
import { text as general } from "../../text/general.ts";
import { text as queueText } from "../../text/merge-queue.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ClearFilters, FilterBar } from "./filter-bar.tsx";
import { filtersOf, isNarrowed } from "./merge-request-filters.ts";
import { MergeRequestList } from "./merge-request-list.tsx";
import { NewMergeRequestButton } from "./new-merge-request-button.tsx";
import { StateLinks } from "./state-links.tsx";
import { mergeRequestsPerPage, useMergeRequests } from "./use-merge-requests.ts";

export function MergeRequestsPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const filters = filtersOf(query);
  const mergeRequests = useMergeRequests(filters, usePageNumber());
  return (
    <Page
      title={text.title}
      within={repository.full_name}
      actions={
        <>
          <ButtonLink to={`/${repository.full_name}/merge-queue`}>{queueText.title}</ButtonLink>
          <NewMergeRequestButton />
        </>
      }
    >
      <FilterBar />
      <StateLinks total={mergeRequests.data?.total} />
      <QueryView query={mergeRequests} lines={8}>
        {({ rows, total }) => {
          if (rows.length > 0)
            return (
              <>
                <MergeRequestList rows={rows} />
                <Pager total={total} perPage={mergeRequestsPerPage} label={text.pages} />
              </>
            );
          if (total > 0)
            return <EmptyState title={text.pastEnd} action={<Link to="?">{general.firstPage}</Link>} />;
          if (!isNarrowed(filters))
            return (
              <EmptyState title={filters.state === "open" ? text.noneOpen : text.none}>
                {text.noneHint}
              </EmptyState>
            );
          return (
            <EmptyState title={text.noneFits} action={<ClearFilters kind="normal" />}>
              {text.noneFitsHint}
            </EmptyState>
          );
        }}
      </QueryView>
    </Page>
  );
}

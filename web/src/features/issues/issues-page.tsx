/** The issues of a repository. */
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useSession } from "../../api/session.ts";
import { text as general } from "../../text/general.ts";
import { text } from "../../text/issues.ts";
import { text as filterText } from "../../text/list-filters.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filtersOf, isNarrowed, withoutFilters, type IssueFilters } from "./issue-filters.ts";
import { IssueList } from "./issue-list.tsx";
import { PinnedIssues } from "./pinned-issues.tsx";
import { StateTabs } from "./state-tabs.tsx";
import { issuesPerPage, useIssueCount, useIssues, type Issue } from "./use-issues.ts";

export function IssuesPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const page = usePageNumber();
  const filters = filtersOf(query);
  const issues = useIssues(filters, page);
  const otherCount = useIssueCount({ ...filters, state: filters.state === "open" ? "closed" : "open" });
  const total = issues.data?.total;
  const isEmpty = total === 0 && otherCount === 0 && !isNarrowed(filters);
  return (
    <Page title={text.title} within={repository.full_name} actions={<Actions />}>
      {isEmpty ? (
        <EmptyState title={text.emptyTitle} action={<NewIssue />}>
          {text.empty}
        </EmptyState>
      ) : (
        <>
          <FilterBar />
          {page === 1 && !isNarrowed(filters) ? <PinnedIssues /> : null}
          <StateTabs filters={filters} total={total} otherCount={otherCount} />
          <QueryView query={issues} lines={8}>
            {(found) => <Found {...found} filters={filters} />}
          </QueryView>
        </>
      )}
    </Page>
  );
}

function Found({ issues, total, filters }: { issues: Issue[]; total: number; filters: IssueFilters }) {
  if (issues.length > 0)
    return (
      <>
        <Rows issues={issues} />
        <Pager total={total} perPage={issuesPerPage} label={text.pages} />
      </>
    );
  if (total > 0) return <PastEnd />;
  if (isNarrowed(filters))
    return (
      <EmptyState title={text.noneFits} action={<ClearFilters />}>
        {text.noneFitsHint}
      </EmptyState>
    );
  return <EmptyState title={filters.state === "open" ? text.noneOpenTitle : text.noneClosedTitle} />;
}

/** Those with Triage select some, and change them together. */
function Rows({ issues }: { issues: Issue[] }) {
  const [numbers, setNumbers] = useState<readonly number[]>([]);
  const mayTriage = issues.some(({ viewer_may: may }) => may.triage);
  const selected = issues.filter(({ number }) => numbers.includes(number));
  return (
    <>
      {mayTriage ? <BulkBar issues={issues} selected={selected} onSelect={setNumbers} /> : null}
      <IssueList issues={issues} {...(mayTriage ? { selected: numbers, onSelect: setNumbers } : {})} />
    </>
  );
}

function PastEnd() {
  const [query] = useSearchParams();
  const first = new URLSearchParams(query);
  first.delete("page");
  return (
    <EmptyState title={text.pastEnd} action={<Link to={`?${first.toString()}`}>{general.firstPage}</Link>} />
  );
}

function ClearFilters() {
  const [query, setQuery] = useSearchParams();
  return <Button onClick={() => setQuery(withoutFilters(query))}>{filterText.clear}</Button>;
}

function Actions() {
  const { full_name: fullName } = useRepository();
  return (
    <>
      <ButtonLink to={`/${fullName}/boards`}>{text.boards}</ButtonLink>
      <ButtonLink to={`/${fullName}/labels`}>{text.labels}</ButtonLink>
      <ButtonLink to={`/${fullName}/milestones`}>{text.milestones}</ButtonLink>
      <NewIssue />
    </>
  );
}

/** Whoever is signed in may open one; others are asked to sign in on its page. */
function NewIssue() {
  const { full_name: fullName, archived } = useRepository();
  const session = useSession();
  if (archived) return null;
  const page = `/${fullName}/issues/new`;
  return (
    <ButtonLink kind="primary" to={session ? page : `/login?next=${encodeURIComponent(page)}`}>
      {session ? text.new : text.signInToOpen}
    </ButtonLink>
  );
}

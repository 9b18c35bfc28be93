/** What narrows a list of issues. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { useSearchParams } from "react-router";
import { text } from "../../text/issues.ts";
import { text as words } from "../../text/list-filters.ts";
import { Button } from "../../ui/button.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { queryOfFilters } from "../saved-filters/query-of-filters.ts";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { withValues } from "../work-items/address-filters.ts";
import {
  Chosen,
  LabelFilter,
  MilestoneFilter,
  PersonFilter,
  SearchFilter,
} from "../work-items/list-filters.tsx";
import styles from "../work-items/list-filters.module.css";
import { SortMenu } from "../work-items/sort-menu.tsx";
import { asksOverdue, filtersOf, isNarrowed, withoutFilters, withOverdue } from "./issue-filters.ts";

export function FilterBar() {
  const [query, setQuery] = useSearchParams();
  const { full_name: repository } = useRepository();
  const filters = filtersOf(query);
  const filter = (name: "q" | "labels" | "milestone" | "author" | "assignee") => ({
    value: filters[name],
    onChange: (value: string) => setQuery(withValues(query, { [name]: value })),
  });
  return (
    <div role="search" aria-label={words.filters} className={styles.bar}>
      <SearchFilter {...filter("q")} />
      <LabelFilter {...filter("labels")} />
      <MilestoneFilter {...filter("milestone")} />
      <PersonFilter label={words.author} {...filter("author")} />
      <PersonFilter label={words.assignee} nobody={words.nobodyAssigned} {...filter("assignee")} />
      <OverdueFilter />
      <SortMenu order={filters} onChange={(order) => setQuery(withValues(query, order))} />
      <SavedFilters
        kind="issue"
        repository={repository}
        query={queryOfFilters(filters)}
        onChoose={(q) => setQuery({ q })}
      />
      {isNarrowed(filters) ? (
        <Button kind="quiet" onClick={() => setQuery(withoutFilters(query))}>
          {words.clear}
        </Button>
      ) : null}
    </div>
  );
}

/** It stands in the search, so that saved filters have it too. */
function OverdueFilter() {
  const [query, setQuery] = useSearchParams();
  const filters = filtersOf(query);
  const isOn = asksOverdue(filters);
  const q = withOverdue(filters, !isOn);
  return (
    <Button
      aria-pressed={isOn}
      disabled={q.length > maxQueryChars}
      onClick={() => setQuery(withValues(query, { q }))}
    >
      {isOn ? <Chosen>{text.overdue}</Chosen> : text.overdue}
    </Button>
  );
}

/** What narrows a list of merge requests. */
import { useSearchParams } from "react-router";
import { text as words } from "../../text/list-filters.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { queryOfFilters } from "../saved-filters/query-of-filters.ts";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { withoutValues, withValues } from "../work-items/address-filters.ts";
import { ChoiceMenu } from "../work-items/choice-menu.tsx";
import { LabelFilter, MilestoneFilter, PersonFilter, SearchFilter } from "../work-items/list-filters.tsx";
import styles from "../work-items/list-filters.module.css";
import { SortMenu } from "../work-items/sort-menu.tsx";
import { BranchFilter } from "./branch-filter.tsx";
import { filtersOf, isNarrowed, narrowing } from "./merge-request-filters.ts";

export function FilterBar() {
  const [query, setQuery] = useSearchParams();
  const { full_name: repository } = useRepository();
  const filters = filtersOf(query);
  const choose = (values: Record<string, string>) => setQuery(withValues(query, values));
  const filter = (name: (typeof narrowing)[number]) => ({
    value: filters[name],
    onChange: (value: string) => choose({ [name]: value }),
  });
  return (
    <div role="search" aria-label={words.filters} className={styles.bar}>
      <SearchFilter {...filter("q")} />
      <LabelFilter {...filter("labels")} />
      <MilestoneFilter {...filter("milestone")} />
      <PersonFilter label={words.author} {...filter("author")} />
      <PersonFilter label={words.assignee} nobody={words.nobodyAssigned} {...filter("assignee")} />
      <BranchFilter label={text.sourceBranch} {...filter("source_branch")} />
      <BranchFilter label={text.targetBranch} {...filter("target_branch")} />
      <ChoiceMenu
        label={text.drafts}
        value={filters.draft ?? ""}
        choices={text.draftChoices}
        onChange={(draft) => choose({ draft })}
      />
      <SortMenu order={filters} onChange={choose} />
      <SavedFilters
        kind="merge_request"
        repository={repository}
        query={queryOfFilters(filters)}
        onChoose={(q) => setQuery({ q })}
      />
      {isNarrowed(filters) ? <ClearFilters kind="quiet" /> : null}
    </div>
  );
}

export function ClearFilters({ kind }: { kind: "normal" | "quiet" }) {
  const [query, setQuery] = useSearchParams();
  return (
    <Button kind={kind} onClick={() => setQuery(withoutValues(query, narrowing))}>
      {words.clear}
    </Button>
  );
}

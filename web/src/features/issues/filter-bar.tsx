/** What narrows a list of issues. Each filter counts at once; the search with Enter or when its field is left. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { ChevronDown, Search } from "lucide-react";
import { useId, type KeyboardEvent } from "react";
import { useSearchParams } from "react-router";
import { text } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { queryOfFilters } from "../saved-filters/query-of-filters.ts";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { ChooserPopup } from "../work-items/chooser-popup.tsx";
import {
  labelChoice,
  milestoneChoice,
  personChoice,
  typedPerson,
  useLabels,
  useMilestones,
  usePeople,
} from "../work-items/choices.tsx";
import type { Choice } from "../work-items/chooser.tsx";
import styles from "./filter-bar.module.css";
import {
  asksOverdue,
  filtersOf,
  isNarrowed,
  labelNames,
  withoutFilters,
  withOverdue,
  withValues,
} from "./issue-filters.ts";

function useFilters() {
  const [query, setQuery] = useSearchParams();
  const filters = filtersOf(query);
  const choose = (values: Record<string, string>) => setQuery(withValues(query, values));
  return { query, setQuery, filters, choose };
}

export function FilterBar() {
  const { query, setQuery, filters } = useFilters();
  return (
    <div role="search" aria-label={text.filters} className={styles.bar}>
      <SearchField />
      <LabelFilter />
      <MilestoneFilter />
      <PersonFilter name="author" label={text.author} />
      <PersonFilter name="assignee" label={text.assignee} none={text.nobodyAssigned} />
      <OverdueFilter />
      <SortMenu />
      <KeptFilters />
      {isNarrowed(filters) ? (
        <Button kind="quiet" onClick={() => setQuery(withoutFilters(query))}>
          {text.clear}
        </Button>
      ) : null}
    </div>
  );
}

function KeptFilters() {
  const { setQuery, filters } = useFilters();
  const { full_name: repository } = useRepository();
  return (
    <SavedFilters
      kind="issue"
      repository={repository}
      query={queryOfFilters(filters)}
      onChoose={(q) => setQuery({ q })}
    />
  );
}

function SearchField() {
  const { filters, choose } = useFilters();
  const id = useId();
  const take = (value: string) => {
    if (value.trim() !== (filters.q ?? "")) choose({ q: value });
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") take(event.currentTarget.value);
  };
  return (
    <div className={styles.search}>
      <label htmlFor={id} className="visually-hidden">
        {text.search}
      </label>
      <Search size={15} aria-hidden />
      <input
        // The address may change by itself (back, "clear filters"): the field follows.
        key={filters.q ?? ""}
        id={id}
        type="search"
        maxLength={maxQueryChars}
        placeholder={text.search}
        defaultValue={filters.q ?? ""}
        onBlur={(event) => take(event.target.value)}
        onKeyDown={press}
      />
    </div>
  );
}

function LabelFilter() {
  const { filters, choose } = useFilters();
  const chosen = labelNames(filters.labels);
  const useChooser = () => {
    const labels = useLabels();
    return (
      labels && {
        label: items.filterLabels,
        nothingFits: items.noLabelFits,
        choices: labels.map(labelChoice),
        chosen,
        onChange: (names: string[]) => choose({ labels: names.join(",") }),
      }
    );
  };
  return (
    <ChooserPopup label={text.label} useChooser={useChooser}>
      <Chosen label={text.label} value={chosen.join(", ")} />
    </ChooserPopup>
  );
}

/** As the API has it, for what is not there. No milestone or user is called so here. */
const none = "none";

function noneChoice(words: string): Choice {
  return { key: none, words, shown: words };
}

function MilestoneFilter() {
  const { filters, choose } = useFilters();
  const useChooser = () => {
    const milestones = useMilestones();
    return (
      milestones && {
        label: items.filterMilestones,
        nothingFits: items.noMilestoneFits,
        single: true,
        choices: [
          noneChoice(text.withoutMilestone),
          // By their titles, which is what the address says.
          ...milestones.map((milestone) => ({ ...milestoneChoice(milestone), key: milestone.title })),
        ],
        chosen: filters.milestone === undefined ? [] : [filters.milestone],
        onChange: ([title = ""]: string[]) => choose({ milestone: title }),
      }
    );
  };
  return (
    <ChooserPopup label={text.milestone} useChooser={useChooser}>
      <Chosen label={text.milestone} value={filters.milestone} />
    </ChooserPopup>
  );
}

/** `none`: what nobody is called, where that can be asked for. */
function PersonFilter(props: { name: "author" | "assignee"; label: string; none?: string }) {
  const { name, label } = props;
  const { filters, choose } = useFilters();
  const value = filters[name];
  const useChooser = () => {
    const people = usePeople(value === undefined || value === none ? [] : [{ username: value }]);
    return {
      label: items.filterPeople,
      nothingFits: items.noPersonFits,
      single: true,
      choices: [...(props.none === undefined ? [] : [noneChoice(props.none)]), ...people.map(personChoice)],
      chosen: value === undefined ? [] : [value],
      typedChoice: typedPerson,
      onChange: ([username = ""]: string[]) => choose({ [name]: username }),
    };
  };
  return (
    <ChooserPopup label={label} useChooser={useChooser}>
      <Chosen label={label} value={value} />
    </ChooserPopup>
  );
}

/** It stands in the search, so that saved filters have it too. */
function OverdueFilter() {
  const { filters, choose } = useFilters();
  const isOn = asksOverdue(filters);
  const q = withOverdue(filters, !isOn);
  return (
    <Button aria-pressed={isOn} disabled={q.length > maxQueryChars} onClick={() => choose({ q })}>
      {isOn ? <span className={styles.chosen}>{text.overdue}</span> : text.overdue}
    </Button>
  );
}

function Chosen({ label, value }: { label: string; value: string | undefined }) {
  if (!value) return <>{label}</>;
  return <span className={styles.chosen}>{text.filtered(label, value === none ? text.none : value)}</span>;
}

function SortMenu() {
  const { filters, choose } = useFilters();
  const { sort = "created", direction = "desc" } = filters;
  const value = `${sort}-${direction}` as keyof typeof text.sorts;
  const change = (next: string) => {
    const [by = "", to = ""] = next.split("-");
    choose({ sort: by === "created" ? "" : by, direction: to === "desc" ? "" : to });
  };
  const label = text.filtered(text.sort, text.sorts[value]);
  return (
    <Menu
      label={label}
      trigger={
        <Button>
          {label}
          <ChevronDown aria-hidden />
        </Button>
      }
      items={[{ kind: "choice", label: text.sort, choices: text.sorts, value, onChange: change }]}
    />
  );
}

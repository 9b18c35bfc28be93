/** The fields above a list of merge requests. A choice counts at once, a text with Enter or when the field is left. */
import { useId, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/size.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { queryOfFilters } from "../saved-filters/query-of-filters.ts";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import styles from "./filter-bar.module.css";
import { filterNames, filtersOf, isFiltered, withFilter, wordFilters } from "./merge-request-filters.ts";

const words: Readonly<Record<(typeof wordFilters)[number], string>> = {
  q: text.search,
  author: text.author,
  assignee: text.assignee,
  target_branch: text.targetBranch,
  labels: text.labels,
};
const drafts = { "": text.anyDraft, true: text.onlyDrafts, false: text.withoutDrafts };
const sorts = { "": text.sorts.created, updated: text.sorts.updated, comments: text.sorts.comments };

export function FilterBar() {
  const [query, setQuery] = useSearchParams();
  const filters = filtersOf(query);
  const choose = (name: string, value: string) => {
    if ((query.get(name) ?? "") !== value.trim()) setQuery(withFilter(query, name, value));
  };
  return (
    <div role="search" aria-label={text.filters} className={styles.bar}>
      {wordFilters.map((name) => (
        <Words
          key={name}
          label={words[name]}
          value={filters[name] ?? ""}
          hint={name === "labels" ? text.labelsHint : undefined}
          onChoose={(value) => choose(name, value)}
        />
      ))}
      <Choice
        label={text.drafts}
        value={filters.draft ?? ""}
        choices={drafts}
        onChoose={(value) => choose("draft", value)}
      />
      <Choice
        label={text.sort}
        value={filters.sort === "created" ? "" : (filters.sort ?? "")}
        choices={sorts}
        onChoose={(value) => choose("sort", value)}
      />
      <KeptFilters />
      {isFiltered(filters) ? <ClearFilters /> : null}
    </div>
  );
}

function KeptFilters() {
  const [query, setQuery] = useSearchParams();
  const { full_name: repository } = useRepository();
  return (
    <SavedFilters
      kind="merge_request"
      repository={repository}
      query={queryOfFilters(filtersOf(query))}
      onChoose={(q) => setQuery({ q })}
    />
  );
}

export function ClearFilters() {
  const [query, setQuery] = useSearchParams();
  const clear = () =>
    setQuery(filterNames.reduce((left, name) => withFilter(left, name, ""), new URLSearchParams(query)));
  return <Button onClick={clear}>{text.clear}</Button>;
}

/** Open, merged, closed, all; `total`: how many of the shown ones there are, once it is known. */
export function StateLinks({ total }: { total: number | undefined }) {
  const [query] = useSearchParams();
  const { state: current } = filtersOf(query);
  return (
    <nav aria-label={text.stateLabel} className={styles.states}>
      {(Object.keys(text.states) as (keyof typeof text.states)[]).map((state) => (
        <Link
          key={state}
          to={`?${withFilter(query, "state", state === "open" ? "" : state).toString()}`}
          aria-current={state === current ? "true" : undefined}
        >
          {text.states[state]}
          {state === current && total !== undefined ? <span>{formatCount(total)}</span> : null}
        </Link>
      ))}
    </nav>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

function Choice(props: {
  label: string;
  value: string;
  /** Value → what it is called. */
  choices: Readonly<Record<string, string>>;
  onChoose: (value: string) => void;
}) {
  return (
    <Labelled label={props.label}>
      {(id) => (
        <select id={id} value={props.value} onChange={(event) => props.onChoose(event.target.value)}>
          {Object.entries(props.choices).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Words(props: {
  label: string;
  value: string;
  hint: string | undefined;
  onChoose: (value: string) => void;
}) {
  const take = (event: FocusEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>) =>
    props.onChoose(event.currentTarget.value);
  return (
    <Labelled label={props.label}>
      {(id) => (
        <input
          // The address may change by itself (back, "clear filters"): the field follows.
          key={props.value}
          id={id}
          defaultValue={props.value}
          placeholder={props.hint}
          autoCapitalize="off"
          spellCheck={false}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter") take(event);
          }}
        />
      )}
    </Labelled>
  );
}

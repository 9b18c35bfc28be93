/** The fields above a list of runs. A choice counts at once, a text with Enter or when the field is left. */
import type { FocusEvent, KeyboardEvent, ReactNode } from "react";
import { useId } from "react";
import { useSearchParams } from "react-router";
import { text } from "../../text/run-filters.ts";
import { Button } from "../../ui/button.tsx";
import { statusWord } from "../../ui/status.tsx";
import { runSources } from "@forgeline/client/generated/choices.ts";
import { statuses } from "@forgeline/client/generated/statuses.ts";
import styles from "./filter-bar.module.css";
import { filterNames, filtersOf, withFilter } from "./pipeline-filters.ts";

export function FilterBar() {
  const [query, setQuery] = useSearchParams();
  const filters = filtersOf(query);
  const choose = (name: string, value: string) => {
    if ((query.get(name) ?? "") !== value.trim()) setQuery(withFilter(query, name, value));
  };
  return (
    <div role="search" aria-label={text.filters} className={styles.bar}>
      <Choice
        label={text.status}
        value={filters.status ?? ""}
        onChoose={(value) => choose("status", value)}
        options={statuses.map((status) => [status, statusWord(status)])}
        none={text.anyStatus}
      />
      <Choice
        label={text.event}
        value={filters.event ?? ""}
        onChoose={(value) => choose("event", value)}
        options={runSources.map((event) => [event, text.events[event]])}
        none={text.anyEvent}
      />
      <Words
        label={text.file}
        value={filters.pipeline ?? ""}
        onChoose={(value) => choose("pipeline", value)}
      />
      <Words label={text.ref} value={filters.ref ?? ""} onChoose={(value) => choose("ref", value)} />
      <Words label={text.actor} value={filters.actor ?? ""} onChoose={(value) => choose("actor", value)} />
      {Object.keys(filters).length > 0 ? <ClearFilters /> : null}
    </div>
  );
}

export function ClearFilters() {
  const [query, setQuery] = useSearchParams();
  const clear = () =>
    setQuery(filterNames.reduce((left, name) => withFilter(left, name, ""), new URLSearchParams(query)));
  return <Button onClick={clear}>{text.clear}</Button>;
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
  onChoose: (value: string) => void;
  options: readonly (readonly [value: string, name: string])[];
  none: string;
}) {
  return (
    <Labelled label={props.label}>
      {(id) => (
        <select id={id} value={props.value} onChange={(event) => props.onChoose(event.target.value)}>
          <option value="">{props.none}</option>
          {props.options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Words(props: { label: string; value: string; onChoose: (value: string) => void }) {
  const take = (event: FocusEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>) =>
    props.onChoose(event.currentTarget.value);
  return (
    <Labelled label={props.label}>
      {(id) => (
        <input
          // The address may change by itself (back, "show all"): the field follows.
          key={props.value}
          id={id}
          defaultValue={props.value}
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

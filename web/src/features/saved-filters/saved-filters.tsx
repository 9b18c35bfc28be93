/** Queries that the viewer keeps, in a panel beside the search field: to choose one, to save the present one, to delete one. */
import { Trash2 } from "lucide-react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/saved-filters.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Popup } from "../../ui/popup.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useChange } from "../../ui/use-change.ts";
import styles from "./saved-filters.module.css";

type SavedFilter = Schemas["SavedFilter"];

export interface SavedFiltersProps {
  kind: SavedFilter["kind"];
  /** `OWNER/NAME`; without it, for the search in all repositories. */
  repository?: string;
  /** What the list shows now; empty: there is nothing to save. */
  query: string;
  onChoose: (query: string) => void;
}

export function SavedFilters(props: SavedFiltersProps) {
  return (
    <Popup label={text.title} panel={() => <Panel {...props} />}>
      {text.title}
    </Popup>
  );
}

function Panel({ kind, repository, query, onChoose }: SavedFiltersProps) {
  const wanted = { kind, per_page: 100, ...(repository === undefined ? {} : { repository }) };
  const filters = $api.useQuery("get", "/user/filters", { params: { query: wanted } });
  return (
    <div className={styles.panel}>
      <QueryView query={filters} lines={2}>
        {(all) => {
          const here = all.filter((each) => (each.repository === null) === (repository === undefined));
          if (here.length === 0) return <p>{text.none}</p>;
          return (
            <ul className={styles.list}>
              {here.map((filter) => (
                <Row key={filter.id} filter={filter} onChoose={onChoose} />
              ))}
            </ul>
          );
        }}
      </QueryView>
      {query === "" ? <p>{text.nothingToSave}</p> : <Save {...wanted} query={query} />}
    </div>
  );
}

function Row({ filter, onChoose }: { filter: SavedFilter; onChoose: (query: string) => void }) {
  const { id, name, query } = filter;
  const remove = useAction(() => api.DELETE("/user/filters/{id}", { params: { path: { id } } }), {
    said: text.removed,
  });
  return (
    <li>
      <Button
        kind="quiet"
        title={query}
        onClick={(event) => {
          event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
          onChoose(query);
        }}
      >
        {name}
      </Button>
      <IconButton label={text.remove(name)} onClick={remove.start}>
        <Trash2 size={15} aria-hidden />
      </IconButton>
    </li>
  );
}

function Save(place: { kind: SavedFilter["kind"]; repository?: string; query: string }) {
  const { kind, repository, query } = place;
  const save = useChange(
    (name: string) =>
      api.POST("/user/filters", {
        body: { name, kind, query, ...(repository === undefined ? {} : { repository }) },
      }),
    { said: text.saved },
  );
  const problems = fieldProblems(save.error);
  return (
    <Form submit={text.save} state={save} onSubmit={(values) => save.mutate(values["name"] ?? "")}>
      <TextField
        name="name"
        label={text.name}
        hint={<code>{query}</code>}
        required
        maxLength={100}
        autoComplete="off"
        problem={problems["name"]}
      />
    </Form>
  );
}

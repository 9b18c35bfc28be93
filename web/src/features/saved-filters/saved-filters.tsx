/** Queries that are kept, in a panel beside the search field: those of the repository and the viewer's own, to choose, save, change and delete. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/saved-filters.ts";
import { Popup } from "../../ui/popup.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { FilterFields } from "./edit-filter.tsx";
import { FilterRow } from "./filter-row.tsx";
import { SaveFilter } from "./save-filter.tsx";
import styles from "./saved-filters.module.css";
import { SharedFilters } from "./shared-filters.tsx";

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
  const place = { kind, ...(repository === undefined ? {} : { repository }) };
  const isSignedIn = useSession() !== null;
  return (
    <div className={styles.panel}>
      {repository === undefined ? null : <SharedFilters kind={kind} onChoose={onChoose} />}
      {isSignedIn ? <OwnFilters {...place} onChoose={onChoose} /> : null}
      {isSignedIn && query !== "" ? <SaveFilter {...place} query={query} /> : null}
      {isSignedIn && query === "" ? <p>{text.nothingToSave}</p> : null}
    </div>
  );
}

function OwnFilters({ kind, repository, onChoose }: Omit<SavedFiltersProps, "query">) {
  const wanted = { kind, per_page: 100, ...(repository === undefined ? {} : { repository }) };
  const filters = $api.useQuery("get", "/user/filters", { params: { query: wanted } });
  return (
    <section aria-label={text.own}>
      {repository === undefined ? null : <h2 className={styles.title}>{text.own}</h2>}
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
    </section>
  );
}

function Row({ filter, onChoose }: { filter: SavedFilter; onChoose: (query: string) => void }) {
  const params = { path: { id: filter.id } };
  const remove = useAction(() => api.DELETE("/user/filters/{id}", { params }), { said: text.removed });
  const save = (body: FilterFields) => api.PATCH("/user/filters/{id}", { params, body });
  return <FilterRow filter={filter} onChoose={onChoose} changes={{ save, remove: remove.start }} />;
}

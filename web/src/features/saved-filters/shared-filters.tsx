/** Filters that the repository shares with its readers, in the panel of saved filters. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { text } from "../../text/saved-filters.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { useAction } from "../../ui/use-action.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import type { FilterFields } from "./edit-filter.tsx";
import { FilterRow } from "./filter-row.tsx";
import styles from "./saved-filters.module.css";

type SharedFilter = Schemas["SharedFilter"];

export interface SharedFiltersProps {
  kind: SharedFilter["kind"];
  onChoose: (query: string) => void;
}

export function SharedFilters({ kind, onChoose }: SharedFiltersProps) {
  const path = useRepositoryPath();
  const filters = $api.useQuery("get", "/repos/{owner}/{repo}/filters", {
    params: { path, query: { kind, per_page: 100 } },
  });
  return (
    <section aria-label={text.shared}>
      <h2 className={styles.title}>{text.shared}</h2>
      <QueryView query={filters} lines={2}>
        {(all) => {
          if (all.length === 0) return <p>{text.noneShared}</p>;
          return (
            <ul className={styles.list}>
              {all.map((filter) => (
                <Row key={filter.id} filter={filter} onChoose={onChoose} />
              ))}
            </ul>
          );
        }}
      </QueryView>
    </section>
  );
}

const one = "/repos/{owner}/{repo}/filters/{id}";

function Row({ filter, onChoose }: { filter: SharedFilter; onChoose: (query: string) => void }) {
  const mayChange = canWrite(useRepository());
  const params = { path: { ...useRepositoryPath(), id: filter.id } };
  const remove = useAction(() => api.DELETE(one, { params }), { said: text.removed });
  const save = (body: FilterFields) => api.PATCH(one, { params, body });
  const changes = mayChange ? { save, remove: remove.start } : undefined;
  return <FilterRow filter={filter} onChoose={onChoose} changes={changes} />;
}

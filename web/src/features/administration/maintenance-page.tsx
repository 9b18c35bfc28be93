/** How all repositories lie on disk. */
import { useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { text as settings } from "../../text/repository-settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";

type State = Schemas["Maintenance"]["state"];

const tones = { idle: "good", waiting: "plain", running: "info", failed: "bad", damaged: "bad" } as const;

export function AdminMaintenancePage() {
  const [query, setQuery] = useSearchParams();
  const state = Object.keys(tones).find((name) => name === query.get("state")) as State | undefined;
  const filter = state === undefined ? {} : { state };
  const pages = usePages(["admin-maintenance", filter], (page) =>
    api.GET("/admin/maintenance", { params: { query: { ...page, ...filter } } }),
  );
  return (
    <Page title={text.maintenance} within={text.administration} lead={text.maintenanceLead}>
      <SelectField
        label={text.state}
        value={state ?? ""}
        onChange={(event) => setQuery(event.target.value === "" ? {} : { state: event.target.value })}
      >
        <option value="">{text.anyState}</option>
        {Object.entries(settings.states).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </SelectField>
      <PagedTable
        pages={pages}
        caption={text.maintenance}
        keyOf={({ repository }) => repository}
        empty={<EmptyState title={text.noMaintenance} />}
        columns={[
          { title: text.repository, cell: ({ repository }) => <span>{repository}</span> },
          {
            title: text.state,
            cell: (row) => <Badge tone={tones[row.state]}>{settings.states[row.state]}</Badge>,
          },
          {
            title: text.problem,
            wide: true,
            cell: (row) => <span>{[row.problem, ...row.damage].filter(Boolean).join("; ")}</span>,
          },
          {
            title: text.maintained,
            cell: (row) => (row.maintained_at ? <Time at={row.maintained_at} /> : text.never),
          },
          { title: text.objects, align: "end", cell: (row) => formatCount(row.loose_objects) },
          { title: text.packs, align: "end", cell: (row) => formatCount(row.packs) },
        ]}
      />
    </Page>
  );
}

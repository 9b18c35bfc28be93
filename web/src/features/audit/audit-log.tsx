/** An audit log: searched, filtered, each entry with all that is known of it, and proven. The filters stand in the address. */
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/audit.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { AuditDetails } from "./audit-details.tsx";
import styles from "./audit-log.module.css";
import { AuditTarget } from "./audit-target.tsx";
import { VerifyButton, type Verify } from "./verify-button.tsx";

const filterNames = ["q", "actor", "action", "since", "until"] as const;
type Filters = Partial<Record<(typeof filterNames)[number], string>>;

export interface AuditSource {
  /** Names the log among others. */
  key: string;
  within: string;
  lead: string;
  fetchPage: (
    query: Filters & { page: number; per_page: number },
  ) => Promise<{ data?: Schemas["AuditEntry"][] }>;
  verify: Verify;
  /** Of the page with its exports, and of that with its stream. */
  exports: string;
  stream: string;
}

export function AuditLog({ source }: { source: AuditSource }) {
  const [query, setQuery] = useSearchParams();
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
  );
  const pages = usePages(["audit-log", source.key, filters], (page) =>
    source.fetchPage({ ...page, ...filters }),
  );
  return (
    <Page
      title={text.auditLog}
      within={source.within}
      lead={source.lead}
      actions={
        <>
          <VerifyButton verify={source.verify} />
          <ButtonLink to={`${source.exports}?${query}`}>{text.exports}</ButtonLink>
          <ButtonLink to={source.stream}>{text.stream}</ButtonLink>
        </>
      }
    >
      <p>
        <a href="/docs/audit#how-long-entries-are-kept">{text.kept}</a>
      </p>
      <FilterForm
        // Drawn again when the address changes by other ways than this form, such as the way back.
        key={query.toString()}
        filters={filters}
        onChange={(next) => setQuery(next)}
      />
      <PagedTable
        pages={pages}
        caption={text.auditLog}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          { title: text.when, cell: (entry) => <Time at={entry.timestamp} /> },
          { title: text.actor, cell: (entry) => <span>{entry.actor.username || text.somebody}</span> },
          { title: text.action, cell: (entry) => <code>{entry.action}</code> },
          {
            title: text.target,
            wide: true,
            cell: ({ target }) => <AuditTarget target={target} />,
          },
          { title: "", label: text.details, cell: (entry) => <AuditDetails entry={entry} /> },
        ]}
      />
    </Page>
  );
}

function FilterForm({ filters, onChange }: { filters: Filters; onChange: (next: Filters) => void }) {
  return (
    <form
      role="search"
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const typed = filterNames.flatMap((name) => {
          const value = data.get(name);
          return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [];
        });
        onChange(Object.fromEntries(typed));
      }}
    >
      <TextField name="q" type="search" label={text.search} defaultValue={filters.q} maxLength={200} />
      <TextField name="actor" label={text.actor} defaultValue={filters.actor} maxLength={300} />
      <TextField name="action" label={text.action} placeholder="repo.create" defaultValue={filters.action} />
      <TextField name="since" type="date" label={text.since} defaultValue={filters.since} />
      <TextField name="until" type="date" label={text.until} defaultValue={filters.until} />
      <div className={styles.buttons}>
        <Button type="submit">{text.show}</Button>
        {Object.keys(filters).length > 0 ? <Link to="?">{text.showAll}</Link> : null}
      </div>
    </form>
  );
}

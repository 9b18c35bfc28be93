/** Exports of an audit log: how they are, and their files. */
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/audit-exports.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";
import { ExportState } from "./export-state.tsx";

type Export = Schemas["AuditExport"];
type Create = Schemas["AuditExportCreate"];

export interface ExportsSource {
  /** Names the log among others. */
  key: string;
  within: string;
  /** Of the page with the log. */
  log: string;
  fetchPage: (query: { page: number; per_page: number }) => Promise<{ data?: Export[] }>;
  create: (body: Create) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

const lookEveryMs = 1_000;

export function AuditExports({ source }: { source: ExportsSource }) {
  const pages = usePages(["audit-exports", source.key], source.fetchPage, (shown) =>
    shown.some(({ status }) => status === "queued" || status === "running") ? lookEveryMs : false,
  );
  return (
    <Page title={text.title} within={source.within} lead={text.lead} actions={<AddExport source={source} />}>
      <p>
        <Link to={source.log}>{text.back}</Link> · <a href="/docs/audit#exporting-the-log">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          {
            title: text.requested,
            cell: ({ created_at: at, requested_by: by }) => (
              <>
                <Time at={at} /> {by === null ? null : text.by(by)}
              </>
            ),
          },
          { title: text.format, cell: ({ format }) => format },
          { title: text.filters, wide: true, cell: ({ filters }) => <Filters filters={filters} /> },
          { title: text.rows, cell: ({ rows }) => formatCount(rows) },
          { title: text.status, cell: (each) => <ExportState made={each} /> },
          { title: "", label: text.remove, cell: ({ id }) => <Remove id={id} source={source} /> },
        ]}
      />
    </Page>
  );
}

function Filters({ filters }: Pick<Export, "filters">) {
  const given = Object.entries(filters);
  if (given.length === 0) return text.everything;
  return (
    <div>
      {given.map(([name, value]) => (
        <div key={name}>
          {name}: <code>{value}</code>
        </div>
      ))}
    </div>
  );
}

function Remove({ id, source }: { id: string; source: ExportsSource }) {
  return (
    <ConfirmButton
      label={text.remove}
      title={text.removeTitle}
      said={text.removed}
      run={() => source.remove(id)}
    >
      <p>{text.removeHint}</p>
    </ConfirmButton>
  );
}

const filterNames = ["q", "actor", "action", "since", "until"] as const;

/** Begins with the filter in the address, with which the log leads here. */
function AddExport({ source }: { source: ExportsSource }) {
  const [query] = useSearchParams();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      lead={text.addLead}
      kind="primary"
      said={text.added}
      run={(values) => source.create(bodyOf(values))}
    >
      {(problems) => (
        <>
          <SelectField name="format" label={text.format} defaultValue="csv">
            {Object.entries(text.formats).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          {filterNames.map((name) => (
            <TextField
              key={name}
              name={name}
              type={name === "since" || name === "until" ? "date" : "text"}
              label={text[name]}
              defaultValue={query.get(name) ?? ""}
              problem={problems[name]}
              autoComplete="off"
            />
          ))}
        </>
      )}
    </FormButton>
  );
}

function bodyOf(values: FormValues): Create {
  const given = filterNames.flatMap((name) => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  const format = (["json", "jsonl"] as const).find((each) => each === values["format"]) ?? "csv";
  return { format, ...Object.fromEntries(given) };
}

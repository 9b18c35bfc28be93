/** Annotations of a run, with links to the lines that they are about. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/reports.ts";
import { Badge } from "../../ui/badge.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import type { Column } from "../../ui/table.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import type { ReportingRun } from "./run-reports.tsx";
import styles from "./run-reports.module.css";

type Annotation = Schemas["Annotation"];

const tones = { error: "bad", warning: "warn", notice: "info" } as const;

export function RunAnnotations({ run }: { run: ReportingRun }) {
  const path = { ...useRepositoryPath(), id: run.id };
  const pages = usePages(["annotations", run.id, run.version], async (query) => {
    const answer = await api.GET("/repos/{owner}/{repo}/pipelines/{id}/annotations", {
      params: { path, query },
    });
    return answer.data
      ? { data: answer.data.map((each, index) => ({ ...each, key: `${query.page}-${index}` })) }
      : {};
  });
  const columns: Column<Annotation>[] = [
    { title: text.level, cell: ({ level }) => <Badge tone={tones[level]}>{text.levels[level]}</Badge> },
    { title: text.message, wide: true, cell: (each) => <Message annotation={each} /> },
    { title: text.place, cell: (each) => <Place annotation={each} sha={run.sha} /> },
    { title: text.job, cell: ({ job, step }) => (step === null ? job.label : `${job.label} › ${step}`) },
  ];
  return (
    <section className={styles.section} aria-labelledby="annotations">
      <h2 id="annotations">{text.annotations}</h2>
      <PagedTable
        pages={pages}
        caption={text.annotations}
        columns={columns}
        keyOf={({ key }) => key}
        empty={<p>{text.noAnnotations}</p>}
        dense
      />
    </section>
  );
}

function Message({ annotation: { title, message, source } }: { annotation: Annotation }) {
  return (
    <div className={styles.message}>
      {title === null ? null : <span className={styles.title}>{title}</span>}
      {message}
      {source === null ? null : ` (${source})`}
    </div>
  );
}

/** The line as it was in the commit of the run. */
function Place({ annotation: { path, line, end_line: end }, sha }: { annotation: Annotation; sha: string }) {
  const repository = useRepository();
  if (path === null) return null;
  const address = fileAddress(repository, "blob", { ref: sha, path });
  const hash = line === null ? "" : `#L${line}${end === null || end === line ? "" : `-L${end}`}`;
  return (
    <Link className={styles.place} to={`${address}${hash}`}>
      {path}
      {line === null ? "" : `:${line}`}
    </Link>
  );
}

/** How much of the code tests of a run cover, in all and by file. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/coverage.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { ReportingRun } from "./run-reports.tsx";
import styles from "./run-reports.module.css";

type File = Schemas["FileCoverage"] & { key: string };

export function RunCoverage({ run, jobs }: { run: ReportingRun; jobs: readonly Schemas["LineCoverage"][] }) {
  const path = { ...useRepositoryPath(), id: run.id };
  const covered = jobs.reduce((sum, { lines_covered: lines }) => sum + lines, 0);
  const total = jobs.reduce((sum, { lines_total: lines }) => sum + lines, 0);
  const pages = usePages(["run-coverage", run.id, run.version], async (query) => {
    const { data } = await api.GET("/repos/{owner}/{repo}/pipelines/{id}/coverage", {
      params: { path, query },
    });
    return data ? { data: data.map((each, index) => ({ ...each, key: `${query.page}-${index}` })) } : {};
  });
  return (
    <section className={styles.section} aria-labelledby="coverage">
      <h2 id="coverage">{text.title}</h2>
      <p>{text.inAll(Math.floor((1000 * covered) / total) / 10, formatCount(covered), formatCount(total))}</p>
      <details>
        <summary>{text.file}</summary>
        <PagedTable
          pages={pages}
          caption={text.title}
          columns={columns}
          keyOf={({ key }) => key}
          empty={<p>{text.noFiles}</p>}
          dense
        />
      </details>
    </section>
  );
}

const columns: Column<File>[] = [
  { title: text.file, wide: true, cell: ({ path }) => <span className={styles.place}>{path}</span> },
  { title: text.percent, align: "end", cell: ({ percent }) => `${percent}%` },
  {
    title: text.lines,
    align: "end",
    cell: (file) => text.linesOf(formatCount(file.lines_covered), formatCount(file.lines_total)),
  },
  { title: text.job, cell: ({ job }) => job.label },
];

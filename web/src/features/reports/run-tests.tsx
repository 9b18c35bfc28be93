/** Tests that jobs of a run report: failures first, the others on request. */
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/tests.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Segments } from "../../ui/segments.tsx";
import type { Column } from "../../ui/table.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import type { ReportingRun } from "./run-reports.tsx";
import styles from "./run-reports.module.css";
import { Failure, formatTestTime, nameOfTest, ResultBadge, TestMarks } from "./test-marks.tsx";
import { TestSearch } from "./test-search.tsx";

type RunTest = Schemas["RunTest"] & { key: string };
type Counts = NonNullable<Schemas["JobReports"]["tests"]>;
type Which = keyof typeof text.whichOfRun;

export function RunTests({ run, counts }: { run: ReportingRun; counts: readonly Counts[] }) {
  const sum = (key: keyof Counts) => counts.reduce((total, each) => total + each[key], 0);
  const [which, setWhich] = useState<Which>(sum("failed") > 0 ? "failed" : "all");
  const [q, setQ] = useState("");
  const path = { ...useRepositoryPath(), id: run.id };
  const filter = { ...(which === "all" ? {} : { status: which }), ...(q === "" ? {} : { q }) };
  const pages = usePages(["run-tests", run.id, run.version, which, q], async (query) => {
    const { data } = await api.GET("/repos/{owner}/{repo}/pipelines/{id}/tests", {
      params: { path, query: { ...query, ...filter } },
    });
    return data ? { data: data.map((each, index) => ({ ...each, key: `${query.page}-${index}` })) } : {};
  });
  return (
    <section className={styles.section} aria-labelledby="tests">
      <h2 id="tests">{text.title}</h2>
      <p>
        {text.counts(sum("passed"), sum("failed"), sum("skipped"))} · {formatTestTime(sum("duration_ms"))}
      </p>
      <Segments label={text.which} choices={text.whichOfRun} value={which} onChange={setWhich} />
      <TestSearch onSearch={setQ} />
      <PagedTable
        pages={pages}
        caption={text.title}
        columns={columns}
        keyOf={({ key }) => key}
        empty={<p>{text.noneOfRun}</p>}
        dense
      />
    </section>
  );
}

const columns: Column<RunTest>[] = [
  { title: text.status, cell: ({ status }) => <ResultBadge status={status} /> },
  { title: text.test, wide: true, cell: (each) => <TestCell of={each} /> },
  { title: text.job, cell: ({ job }) => job.label },
  { title: text.duration, align: "end", cell: ({ duration_ms: ms }) => formatTestTime(ms) },
];

function TestCell({ of }: { of: RunTest }) {
  const { full_name: fullName } = useRepository();
  return (
    <>
      <Link className={styles.place} to={`/${fullName}/pipelines/tests/${of.test.id}`}>
        {nameOfTest(of.test)}
      </Link>{" "}
      <TestMarks flaky={of.flaky} quarantined={of.quarantined} />
      <Failure message={of.message} details={of.details} />
    </>
  );
}

/** Tests that jobs of a repository report: all, flaky ones, those in quarantine. */
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/tests.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Segments } from "../../ui/segments.tsx";
import { formatCount } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./run-reports.module.css";
import { formatTestTime, nameOfTest, TestMarks } from "./test-marks.tsx";
import { TestSearch } from "./test-search.tsx";

type Test = Schemas["Test"];

export function TestsPage() {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const [which, setWhich] = useState<keyof typeof text.whichOfRepository>("all");
  const [sort, setSort] = useState<keyof typeof text.sorts>("name");
  const [q, setQ] = useState("");
  const filter = { sort, ...(which === "all" ? {} : { only: which }), ...(q === "" ? {} : { q }) };
  const pages = usePages(["tests", fullName, which, sort, q], (query) =>
    api.GET("/repos/{owner}/{repo}/tests", { params: { path, query: { ...query, ...filter } } }),
  );
  return (
    <Page title={text.title} within={fullName} lead={text.lead}>
      <p>
        <a href="/docs/pipelines/reports">{text.docs}</a>
      </p>
      <Segments label={text.which} choices={text.whichOfRepository} value={which} onChange={setWhich} />
      <Segments label={text.sort} choices={text.sorts} value={sort} onChange={setSort} />
      <TestSearch onSearch={setQ} />
      <PagedTable
        pages={pages}
        caption={text.title}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        dense
      />
    </Page>
  );
}

const columns: Column<Test>[] = [
  { title: text.test, wide: true, cell: (test) => <TestCell test={test} /> },
  {
    title: text.failures,
    align: "end",
    cell: (test) => text.failuresOf(formatCount(test.failures_count), formatCount(test.results_count)),
  },
  { title: text.typical, align: "end", cell: (test) => formatTestTime(test.typical_duration_ms) },
  { title: text.lastSeen, cell: (test) => <Time at={test.last_seen_at} /> },
];

function TestCell({ test }: { test: Test }) {
  const { full_name: fullName } = useRepository();
  return (
    <>
      <Link className={styles.place} to={`/${fullName}/pipelines/tests/${test.id}`}>
        {nameOfTest(test)}
      </Link>{" "}
      <TestMarks flaky={test.flaky !== null} quarantined={test.quarantine !== null} />
    </>
  );
}

/** Reports of a run's jobs: what went wrong with them, results of tests, coverage, annotations, summaries. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/reports.ts";
import { Notice } from "../../ui/notice.tsx";
import { MarkdownText } from "../markdown/markdown-text.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { RunAnnotations } from "./run-annotations.tsx";
import { RunCoverage } from "./run-coverage.tsx";
import type { ReportingRun } from "./run-reports.tsx";
import { RunTests } from "./run-tests.tsx";
import styles from "./run-reports.module.css";

type JobReports = Schemas["JobReports"];

export function ShownReports({ run, reports }: { run: ReportingRun; reports: readonly JobReports[] }) {
  const read = reports.filter(({ state }) => state === "read");
  const version = `${run.version}-${read.length}`;
  const counts = read.flatMap(({ tests }) => tests ?? []);
  const covered = read.flatMap(({ coverage }) => coverage ?? []);
  return (
    <>
      <Problems reports={read} />
      {counts.length > 0 ? <RunTests run={{ ...run, version }} counts={counts} /> : null}
      {covered.length > 0 ? <RunCoverage run={{ ...run, version }} jobs={covered} /> : null}
      {read.some(({ annotations_count: count }) => count > 0) ? (
        <RunAnnotations run={{ ...run, version }} />
      ) : null}
      <Summaries reports={read} sha={run.sha} />
    </>
  );
}

function Problems({ reports }: { reports: readonly JobReports[] }) {
  const problems = reports.flatMap(({ job, problems: found }) => found.map((problem) => ({ job, problem })));
  if (problems.length === 0) return null;
  return (
    <Notice tone="warn" title={text.problems}>
      <ul>
        {problems.map(({ job, problem: { kind, path, step, message } }, index) => (
          <li key={index}>{text.problemOf(job.label, path ?? step ?? text.kinds[kind] ?? kind, message)}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Summaries({ reports, sha }: { reports: readonly JobReports[]; sha: string }) {
  const repository = useRepository();
  return reports.map(({ job, summary }) =>
    summary === null ? null : (
      <section key={job.id} className={styles.section} aria-label={text.summaryOf(job.label)}>
        <h2>{text.summaryOf(job.label)}</h2>
        <div className={styles.summary}>
          <MarkdownText source={summary} place={{ repository, ref: sha, directory: "" }} />
        </div>
      </section>
    ),
  );
}

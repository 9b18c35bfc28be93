/** How the runs of a repository go: by day, by file, and which jobs and steps are slow. */
import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text, tookText } from "../../text/run-statistics.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatCount } from "../../ui/size.ts";
import { Table, type Column } from "../../ui/table.tsx";
import { runExportAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { PeriodField } from "./period-field.tsx";
import styles from "./run-statistics.module.css";
import { SumsSections } from "./sums-sections.tsx";
import { usePeriod, type PeriodChoice } from "./use-period.ts";

type Times = Schemas["JobTimes"] | Schemas["StepTimes"];

export function RunStatisticsPage() {
  const repository = useRepository();
  const { full_name: fullName } = repository;
  const path = useRepositoryPath();
  const choice = usePeriod();
  const { days, branch, pipeline } = choice;
  const query = { days, ...(branch ? { branch } : {}), ...(pipeline ? { pipeline } : {}) };
  const options = { placeholderData: keepPreviousData } as const;
  const root = "/repos/{owner}/{repo}/pipelines/statistics" as const;
  const sums = $api.useQuery("get", root, { params: { path, query } }, options);
  const slowest = $api.useQuery("get", `${root}/jobs`, { params: { path, query } }, options);
  return (
    <Page
      title={text.title}
      within={fullName}
      lead={text.lead}
      actions={
        <a href={runExportAddress(repository)} download="runs.jsonl">
          {text.export}
        </a>
      }
    >
      <p>
        <a href="/docs/pipelines/statistics">{text.docs}</a>
      </p>
      <Filters choice={choice} files={(sums.data?.by_pipeline ?? []).map((file) => file.pipeline)} />
      <QueryView query={sums} lines={10}>
        {(found) => (
          <>
            <SumsSections statistics={found} />
            {found.by_pipeline.length > 1 ? <Files files={found.by_pipeline} /> : null}
          </>
        )}
      </QueryView>
      <QueryView query={slowest}>{(found) => <Slowest found={found} />}</QueryView>
    </Page>
  );
}

/** `files`: those known to have runs; the chosen one is always there. */
function Filters({ choice, files }: { choice: PeriodChoice; files: readonly string[] }) {
  const { branch, pipeline, choose } = choice;
  const all = pipeline === "" || files.includes(pipeline) ? files : [...files, pipeline];
  return (
    <form
      key={branch}
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get("branch");
        choose({ branch: typeof given === "string" ? given.trim() : "" });
      }}
    >
      <PeriodField {...choice} />
      <SelectField
        label={text.file}
        value={pipeline}
        onChange={(event) => choose({ pipeline: event.target.value })}
      >
        <option value="">{text.allFiles}</option>
        {all.map((file) => (
          <option key={file} value={file}>
            {file}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.branch}
        placeholder={text.allBranches}
        name="branch"
        defaultValue={branch}
        maxLength={255}
      />
      <Button type="submit">{text.show}</Button>
    </form>
  );
}

function Files({ files }: { files: readonly Schemas["FileOfRuns"][] }) {
  return (
    <Section title={text.files}>
      <Table
        caption={text.files}
        rows={files}
        keyOf={({ pipeline }) => pipeline}
        columns={[
          {
            title: text.file,
            wide: true,
            cell: ({ pipeline }) => <span className={styles.name}>{pipeline}</span>,
          },
          { title: text.runs, align: "end", cell: ({ runs }) => formatCount(runs) },
          { title: text.successRate, align: "end", cell: (file) => text.percent(file.success_rate) },
          { title: text.minutes, align: "end", cell: (file) => text.minutesOf(file.runner_minutes) },
        ]}
      />
    </Section>
  );
}

const timeColumns: readonly Column<Times>[] = [
  { title: text.times, align: "end", cell: ({ count }) => formatCount(count) },
  { title: text.failed, align: "end", cell: ({ failed }) => formatCount(failed) },
  { title: text.duration, align: "end", cell: ({ duration }) => tookText(duration.p50) },
  { title: text.most, align: "end", cell: ({ duration }) => tookText(duration.p90) },
];

function Slowest({ found }: { found: Schemas["JobStatistics"] }) {
  if (found.jobs.length === 0) return null;
  const job = { title: text.job, cell: (row: Times) => <span className={styles.name}>{row.job}</span> };
  return (
    <>
      <Section title={text.slowJobs} lead={text.sampled(found.sampled_runs)}>
        <Table
          caption={text.slowJobs}
          rows={found.jobs}
          keyOf={(row) => `${row.pipeline} ${row.job}`}
          columns={[{ ...job, wide: true }, ...timeColumns]}
        />
      </Section>
      <Section title={text.slowSteps} lead={text.sampled(found.sampled_runs)}>
        <Table
          caption={text.slowSteps}
          rows={found.steps}
          keyOf={(row) => `${row.pipeline} ${row.job} ${row.step}`}
          columns={[
            job,
            { title: text.step, wide: true, cell: ({ step }) => <span className={styles.name}>{step}</span> },
            ...timeColumns,
          ]}
        />
      </Section>
    </>
  );
}

/** One test through time, and its quarantine. */
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/tests.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { commitAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { Failure, formatTestTime, nameOfTest, ResultBadge } from "./test-marks.tsx";

type Test = Schemas["Test"];
type Result = Schemas["TestResult"] & { key: string };

const quarantinePath = "/repos/{owner}/{repo}/tests/{test}/quarantine";

export function TestPage() {
  const { test = "" } = useParams();
  const path = { ...useRepositoryPath(), test };
  const query = $api.useQuery("get", "/repos/{owner}/{repo}/tests/{test}", { params: { path } });
  return <QueryView query={query}>{(found) => <TestView key={found.id} test={found} />}</QueryView>;
}

function TestView({ test }: { test: Test }) {
  const { full_name: fullName } = useRepository();
  const path = { ...useRepositoryPath(), test: test.id };
  const pages = usePages(["test-results", test.id], async (query) => {
    const { data } = await api.GET("/repos/{owner}/{repo}/tests/{test}/results", { params: { path, query } });
    return data ? { data: data.map((each, index) => ({ ...each, key: `${query.page}-${index}` })) } : {};
  });
  return (
    <Page title={nameOfTest(test)} within={fullName} actions={<Quarantine test={test} />}>
      <p>
        <Link to={`/${fullName}/pipelines/tests`}>{text.title}</Link>
      </p>
      {test.flaky ? (
        <Notice tone="warn" title={text.flaky}>
          {text.flakyHint}
        </Notice>
      ) : null}
      {test.quarantine ? (
        <Notice title={text.inQuarantine(test.quarantine.by)}>
          {test.quarantine.reason} <Time at={test.quarantine.at} />
        </Notice>
      ) : null}
      <PagedTable
        pages={pages}
        caption={text.history}
        columns={columns}
        keyOf={({ key }) => key}
        empty={<p>{text.none}</p>}
        dense
      />
    </Page>
  );
}

const columns: Column<Result>[] = [
  { title: text.status, cell: ({ status }) => <ResultBadge status={status} /> },
  { title: text.run, wide: true, cell: (result) => <RunCell result={result} /> },
  { title: text.duration, align: "end", cell: ({ duration_ms: ms }) => formatTestTime(ms) },
  { title: text.when, cell: ({ at }) => <Time at={at} /> },
];

function RunCell({ result: { pipeline, job, sha, message, details } }: { result: Result }) {
  const repository = useRepository();
  return (
    <>
      <Link to={`/${repository.full_name}/pipelines/${pipeline.number}`}>
        {text.runNumber(pipeline.number)}
      </Link>{" "}
      {job.label}{" "}
      <Link to={commitAddress(repository, sha)}>
        <code>{shortName(sha)}</code>
      </Link>
      <Failure message={message} details={details} />
    </>
  );
}

/** The server applies the same rule: for who maintains the repository. */
function Quarantine({ test }: { test: Test }) {
  const { permissions, archived } = useRepository();
  const path = { ...useRepositoryPath(), test: test.id };
  if (archived || (permissions !== "maintain" && permissions !== "admin")) return null;
  if (test.quarantine)
    return (
      <ConfirmButton
        label={text.release}
        title={`${text.release}?`}
        submit={text.release}
        said={text.released}
        kind="quiet"
        run={() => api.DELETE(quarantinePath, { params: { path } })}
      />
    );
  return (
    <FormButton
      label={text.quarantine}
      title={text.quarantineTitle}
      lead={text.quarantineHint}
      said={text.quarantineDone}
      run={({ reason }) =>
        api.PUT(quarantinePath, { params: { path }, body: { reason: String(reason ?? "") } })
      }
    >
      {(problems) => (
        <TextField label={text.reason} name="reason" maxLength={500} problem={problems["reason"]} />
      )}
    </FormButton>
  );
}

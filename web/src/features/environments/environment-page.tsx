/** One environment: what is deployed there, what was before, and its protection. */
import type { ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/environments.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Form } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { shortName } from "../commits/commit-id.ts";
import { mayRun } from "../pipelines/may-run.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { DeploymentHistory } from "./deployment-history.tsx";
import { DeploymentStatistics } from "./deployment-statistics.tsx";
import { Current } from "./environments-page.tsx";
import { mayMaintain } from "./may-maintain.ts";
import { ProtectionFields } from "./protection-fields.tsx";
import { environmentOf, protectionText } from "./protection.ts";

type Environment = Schemas["Environment"];

export function EnvironmentPage() {
  const { environment: name = "" } = useParams();
  const path = { ...useRepositoryPath(), name };
  const query = $api.useQuery("get", "/repos/{owner}/{repo}/environments/{name}", { params: { path } });
  return <QueryView query={query}>{(environment) => <Shown environment={environment} />}</QueryView>;
}

function Shown({ environment }: { environment: Environment }) {
  const repository = useRepository();
  const { full_name: fullName, archived } = repository;
  const { name, current, protection } = environment;
  const facts = [
    { name: text.current, value: <Current environment={environment} /> },
    ...(current ? factsOf(current) : []),
    { name: text.protection, value: protectionText(protection) },
    ...(environment.confirmed_at === null ? [{ name: text.confirmed, value: text.unconfirmedHint }] : []),
  ];
  const isMaintainer = mayMaintain(repository);
  return (
    <Page title={name} within={fullName} actions={isMaintainer ? <RemoveButton name={name} /> : null}>
      <p>
        <Link to={`/${fullName}/environments`}>{text.title}</Link>
      </p>
      <Facts facts={facts} />
      {mayRun(repository) ? (
        <p>
          <ButtonLink to="variables">{text.variables}</ButtonLink>{" "}
          <ButtonLink to="secrets">{text.secrets}</ButtonLink>
        </p>
      ) : null}
      <Deploying jobs={environment.deploying} />
      <Waiting jobs={environment.waiting} />
      <DeploymentHistory environment={name} />
      {current ? <DeploymentStatistics environment={name} /> : null}
      {isMaintainer && !archived ? (
        <Section title={text.settings} lead={text.settingsLead}>
          <ProtectionForm key={environment.updated_at} environment={environment} />
        </Section>
      ) : null}
    </Page>
  );
}

function factsOf(current: NonNullable<Environment["current"]>): { name: string; value: ReactNode }[] {
  const { at, actor, approved_by: approvedBy, before } = current;
  return [
    { name: text.at, value: <Time at={at} /> },
    { name: text.by, value: actor ?? text.nobody },
    ...(approvedBy.length > 0 ? [{ name: text.approvedBy, value: approvedBy.join(", ") }] : []),
    ...(before ? [{ name: text.changes, value: <Changes before={before} sha={current.sha} /> }] : []),
  ];
}

function Changes({ before, sha }: { before: { number: number; sha: string }; sha: string }) {
  const { full_name: fullName } = useRepository();
  if (before.sha === sha) return <>{text.sameCommit(before.number)}</>;
  return (
    <Link to={`/${fullName}/compare/${before.sha}...${sha}`}>
      {text.since(shortName(before.sha), before.number)}
    </Link>
  );
}

function Deploying({ jobs }: { jobs: Environment["deploying"] }) {
  const { full_name: fullName } = useRepository();
  if (jobs.length === 0) return null;
  return (
    <Section title={text.deploying}>
      <ul>
        {jobs.map(({ pipeline: { number }, job, sha, status }) => (
          <li key={job.id}>
            <Link to={`/${fullName}/pipelines/${number}`}>{text.waitingJob(number, job.name)}</Link>
            <div>
              {text.deployingCommit(shortName(sha))}
              {status}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What is about to deploy here, and what holds it. */
function Waiting({ jobs }: { jobs: Environment["waiting"] }) {
  const { full_name: fullName } = useRepository();
  if (jobs.length === 0) return null;
  return (
    <Section title={text.waiting}>
      <ul>
        {jobs.map(({ pipeline: { number }, job, message }) => (
          <li key={job.id}>
            <Link to={`/${fullName}/pipelines/${number}`}>{text.waitingJob(number, job.name)}</Link>
            <div>{message}</div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ProtectionForm({
  environment: { name, protection, allow_shell: allowShell },
}: {
  environment: Environment;
}) {
  const path = { ...useRepositoryPath(), name };
  const save = useChange(
    (body: Schemas["EnvironmentPut"]) =>
      api.PUT("/repos/{owner}/{repo}/environments/{name}", { params: { path }, body }),
    { said: text.saved },
  );
  return (
    <Form state={save} submit={text.save} onSubmit={(values) => save.mutate(environmentOf(values))}>
      <ProtectionFields
        protection={protection}
        allowShell={allowShell}
        problems={fieldProblems(save.error)}
      />
    </Form>
  );
}

function RemoveButton({ name }: { name: string }) {
  const path = { ...useRepositoryPath(), name };
  const navigate = useNavigate();
  const { full_name: fullName } = useRepository();
  return (
    <ConfirmButton
      label={text.remove}
      title={text.removeTitle(name)}
      said={text.removed}
      typeName={name}
      onDone={() => navigate(`/${fullName}/environments`)}
      gone={() => [path.owner, path.repo, name]}
      run={() => api.DELETE("/repos/{owner}/{repo}/environments/{name}", { params: { path } })}
    >
      <p>{text.removeHint}</p>
    </ConfirmButton>
  );
}

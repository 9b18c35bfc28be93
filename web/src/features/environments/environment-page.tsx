/** One environment: what is deployed there, what was before, and its protection. */
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
import { mayRun } from "../pipelines/may-run.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { DeploymentHistory } from "./deployment-history.tsx";
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
    ...(current ? [{ name: text.at, value: <Time at={current.at} /> }] : []),
    { name: text.protection, value: protectionText(protection) },
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
      <DeploymentHistory environment={name} />
      {isMaintainer && !archived ? (
        <Section title={text.settings} lead={text.settingsLead}>
          <ProtectionForm key={environment.updated_at} environment={environment} />
        </Section>
      ) : null}
    </Page>
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

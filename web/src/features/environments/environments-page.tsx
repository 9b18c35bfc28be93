/** The environments of a repository, with what is deployed there now. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/environments.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { mayMaintain } from "./may-maintain.ts";
import { ProtectionFields } from "./protection-fields.tsx";
import { environmentOf, protectionText } from "./protection.ts";

type Environment = Schemas["Environment"];

export function EnvironmentsPage() {
  const repository = useRepository();
  const { full_name: fullName, archived } = repository;
  const path = useRepositoryPath();
  const pages = usePages(["environments", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/environments", { params: { path, query } }),
  );
  const mayAdd = mayMaintain(repository) && !archived;
  return (
    <Page title={text.title} within={fullName} lead={text.lead} actions={mayAdd ? <AddEnvironment /> : null}>
      <p>
        <a href="/docs/pipelines/environments">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          {
            title: text.name,
            wide: true,
            cell: ({ name }) => <Link to={`/${fullName}/environments/${name}`}>{name}</Link>,
          },
          { title: text.current, wide: true, cell: (environment) => <Current environment={environment} /> },
          { title: text.at, cell: ({ current }) => (current ? <Time at={current.at} /> : "–") },
          {
            title: text.protection,
            wide: true,
            cell: ({ confirmed_at: confirmed, protection }) =>
              confirmed === null ? text.unconfirmed : protectionText(protection),
          },
        ]}
      />
    </Page>
  );
}

/** The commit, the run, and the address where it can be looked at. */
export function Current({ environment: { current } }: { environment: Environment }) {
  const { full_name: fullName } = useRepository();
  if (!current) return <>{text.nothing}</>;
  const { sha, pipeline, environment_url: url } = current;
  return (
    // One cell, which breaks between words: on a phone each child of a cell is a column.
    <span>
      <Link to={`/${fullName}/commit/${sha}`}>
        <code>{shortName(sha)}</code>
      </Link>{" "}
      <Link to={`/${fullName}/pipelines/${pipeline.number}`}>#{pipeline.number}</Link>
      {url === null ? null : (
        <>
          {" "}
          <a href={url} rel="noreferrer nofollow">
            {url}
          </a>
        </>
      )}
    </span>
  );
}

function AddEnvironment() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      submit={text.save}
      kind="primary"
      said={text.created}
      run={(values) =>
        api.PUT("/repos/{owner}/{repo}/environments/{name}", {
          params: { path: { ...path, name: values["name"] ?? "" } },
          body: environmentOf(values),
        })
      }
    >
      {(problems) => (
        <>
          <TextField
            name="name"
            label={text.name}
            hint={text.nameHint}
            required
            maxLength={100}
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
            autoComplete="off"
            spellCheck={false}
            problem={problems["name"]}
          />
          <ProtectionFields problems={problems} />
        </>
      )}
    </FormButton>
  );
}

/** All secrets of a repository, an organization or the instance. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/secrets.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { SecretFields, secretOf } from "./secret-fields.tsx";
import { useSecretOwner } from "./use-secret-owner.ts";

type Secret = Schemas["Secret"];

export function SecretsPage() {
  const { at, path, name, home, lead, isArchived, mayChange } = useSecretOwner();
  const pages = usePages(["secrets", home], (query) => api.GET(at(""), { params: { path, query } }));
  return (
    <Page
      title={text.title}
      within={name}
      lead={lead}
      actions={isArchived || !mayChange ? null : <AddSecret />}
    >
      <p>
        <a href="/docs/pipelines/secrets">{text.docs}</a>
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
            cell: (secret) => (
              <Link to={`${home}/${secret.name}`}>
                <code>{secret.name}</code>
              </Link>
            ),
          },
          { title: text.limits, wide: true, cell: (secret) => limitsOf(secret) },
          { title: text.updated, cell: (secret) => <Time at={secret.updated_at} /> },
          {
            title: text.lastUsed,
            cell: (secret) => (secret.last_used_at ? <Time at={secret.last_used_at} /> : text.never),
          },
          {
            title: "",
            label: text.actions,
            cell: (secret) => (mayChange ? <Actions secret={secret} /> : null),
          },
        ]}
      />
    </Page>
  );
}

function limitsOf(secret: Secret): string {
  const { branches, tags, events, stages, images, environments, repositories } = secret;
  const limits = Object.entries({ repositories, branches, tags, events, stages, images, environments });
  const set = limits.filter(([, patterns]) => patterns.length > 0);
  return set.length === 0
    ? text.noLimits
    : set.map(([kind, patterns]) => `${text[kind as "branches"]}: ${patterns.join(", ")}`).join("; ");
}

function AddSecret() {
  const { at, path } = useSecretOwner();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      submit={text.save}
      kind="primary"
      run={(values) =>
        api.PUT(at("/{name}"), {
          params: { path: { ...path, name: values["name"] ?? "" } },
          body: secretOf(values),
        })
      }
    >
      {(problems) => <SecretFields problems={problems} />}
    </FormButton>
  );
}

function Actions({ secret }: { secret: Secret }) {
  const { at, path, isArchived } = useSecretOwner();
  const params = { path: { ...path, name: secret.name } };
  return (
    <RowActions>
      {isArchived ? null : (
        <FormButton
          label={text.replace}
          name={text.replaceTitle(secret.name)}
          title={text.replaceTitle(secret.name)}
          submit={text.save}
          lead={text.replaceLead}
          said={text.set(secret.name)}
          run={(values) => api.PUT(at("/{name}"), { params, body: secretOf(values) })}
        >
          {(problems) => <SecretFields secret={secret} problems={problems} />}
        </FormButton>
      )}
      <ConfirmButton
        label={text.remove}
        name={`${text.remove} ${secret.name}`}
        title={text.removeTitle(secret.name)}
        said={text.removed(secret.name)}
        run={() => api.DELETE(at("/{name}"), { params })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </RowActions>
  );
}

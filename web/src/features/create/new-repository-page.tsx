/** Creates a repository, and goes to it. */
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/create.ts";
import { text as importText } from "../../text/imports.ts";
import { CheckField, FieldGroup, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { NameField } from "./name-field.tsx";
import { OwnerField } from "./owner-field.tsx";
import { TemplateFields } from "./template-fields.tsx";
import { usePossibleOwners } from "./use-owners.ts";
import { VisibilityField } from "./visibility-field.tsx";

/** `?owner=` chooses one of the possible owners. */
export function NewRepositoryPage() {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [chosen, setChosen] = useState(query.get("owner") ?? user.username);
  const owners = usePossibleOwners();
  const owner = owners.find(({ name }) => name === chosen) ?? owners[0];
  const create = useChange(
    async (values: FormValues) => (await api.POST("/repos", { body: repositoryOf(values) })).data,
    { onDone: (made) => made && navigate(`/${made.full_name}`) },
  );
  const problems = fieldProblems(create.error);
  return (
    <Page title={text.newRepository} lead={text.newRepositoryLead}>
      <p>
        <Link to="/new/import">{importText.instead}</Link>
      </p>
      <Form submit={text.createRepository} state={create} onSubmit={create.mutate}>
        <OwnerField
          owners={owners}
          value={owner?.name ?? ""}
          onChange={setChosen}
          problem={problems["owner"]}
        />
        <NameField autoFocus problem={problems["name"]} />
        <TextField
          name="description"
          label={text.description}
          hint={text.optional}
          maxLength={1000}
          problem={problems["description"]}
        />
        <VisibilityField
          key={String(owner?.isOrganization)}
          withInternal={owner?.isOrganization ?? false}
          value="private"
        />
        <FieldGroup legend={text.firstFiles}>
          <CheckField name="readme" label={text.readme} hint={text.readmeHint} />
        </FieldGroup>
        <TemplateFields problems={problems} />
        <TextField
          name="default_branch"
          label={text.defaultBranch}
          defaultValue="main"
          maxLength={200}
          required
          problem={problems["default_branch"]}
        />
      </Form>
    </Page>
  );
}

function repositoryOf(values: FormValues): Schemas["RepositoryCreate"] {
  const { gitignore = "", license = "" } = values;
  return {
    name: values["name"] ?? "",
    owner: values["owner"] ?? "",
    description: values["description"] ?? "",
    visibility: (values["visibility"] ?? "private") as Schemas["Visibility"],
    default_branch: values["default_branch"] ?? "",
    readme: values["readme"] !== undefined,
    auto_init: false,
    ...(gitignore === "" ? {} : { gitignore }),
    ...(license === "" ? {} : { license }),
  };
}

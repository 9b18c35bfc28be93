/** Settings of a repository as a whole: what it is called, who sees it, and how it ends. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/repository-settings.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { NameField } from "../create/name-field.tsx";
import { VisibilityField } from "../create/visibility-field.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { DescriptionForm } from "./description-form.tsx";
import { DangerZone } from "./danger-zone.tsx";

export function GeneralSettingsPage() {
  const repository = useRepository();
  return (
    <Page title={text.general} within={repository.full_name}>
      {repository.archived ? null : (
        <>
          <DescriptionForm />
          <VisibilitySection repository={repository} />
          <RenameSection />
        </>
      )}
      <DangerZone />
    </Page>
  );
}

function VisibilitySection({ repository }: { repository: Schemas["Repository"] }) {
  const path = useRepositoryPath();
  return (
    <Section title={text.whoSees} lead={text.visibilityIs(repository.visibility)}>
      <div>
        <ConfirmButton
          label={text.changeVisibility}
          title={text.whoSees}
          said={text.saved}
          kind="normal"
          run={(values) =>
            api.PATCH("/repos/{owner}/{repo}", {
              params: { path },
              body: { visibility: values["visibility"] as Schemas["Visibility"] },
            })
          }
        >
          <VisibilityField withInternal={repository.owner.type === "org"} value={repository.visibility} />
        </ConfirmButton>
      </div>
    </Section>
  );
}

function RenameSection() {
  const path = useRepositoryPath();
  const repository = useRepository();
  const navigate = useNavigate();
  const rename = useChange(
    async (values: FormValues) =>
      (
        await api.PATCH("/repos/{owner}/{repo}", {
          params: { path },
          body: { name: values["name"] ?? "" },
        })
      ).data,
    {
      said: text.saved,
      gone: (renamed) => (renamed?.name === path.repo ? [] : [path.owner, path.repo]),
      onDone: (renamed) => renamed && navigate(`/${renamed.full_name}/settings`, { replace: true }),
    },
  );
  return (
    <Section title={text.rename} lead={text.renameHint}>
      <Form submit={text.rename} state={rename} onSubmit={rename.mutate}>
        <NameField defaultValue={repository.name} problem={fieldProblems(rename.error)["name"]} />
      </Form>
    </Section>
  );
}

/** What an organization is called, what its members may do, and its end. */
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/organizations.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { CheckField, TextArea, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useOrganization } from "./use-organization.ts";

export function OrganizationSettingsPage() {
  const { org } = useOrganization();
  return (
    <Page title={text.settings} within={org} lead={text.settingsLead}>
      <SettingsForm />
      <DeleteSection />
    </Page>
  );
}

function SettingsForm() {
  const { organization, org } = useOrganization();
  const save = useChange(
    (values: FormValues) =>
      api.PATCH("/orgs/{org}", {
        params: { path: { org } },
        body: {
          display_name: values["display_name"] ?? "",
          description: values["description"] ?? "",
          members_can_create_repositories: values["members_create"] !== undefined,
          shared_concurrency: values["shared_concurrency"] !== undefined,
        },
      }),
    { said: text.saved },
  );
  const problems = fieldProblems(save.error);
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <TextField
        name="display_name"
        label={text.displayName}
        defaultValue={organization.display_name}
        maxLength={100}
        problem={problems["display_name"]}
      />
      <TextArea
        name="description"
        label={text.description}
        rows={2}
        defaultValue={organization.description}
        maxLength={1000}
        problem={problems["description"]}
      />
      <CheckField
        name="members_create"
        label={text.membersCreate}
        hint={text.membersCreateHint}
        defaultChecked={organization.members_can_create_repositories}
      />
      <CheckField
        name="shared_concurrency"
        label={text.sharedConcurrency}
        hint={text.sharedConcurrencyHint}
        defaultChecked={organization.shared_concurrency}
      />
    </Form>
  );
}

function DeleteSection() {
  const { org } = useOrganization();
  const navigate = useNavigate();
  return (
    <Section title={text.endings} lead={text.deleteHint}>
      <div>
        <ConfirmButton
          label={text.deleteIt}
          title={text.deleteName(org)}
          typeName={org}
          said={text.deleted(org)}
          run={() => api.DELETE("/orgs/{org}", { params: { path: { org } } })}
          gone={() => [org]}
          onDone={() => navigate("/orgs")}
        >
          <p>{text.deleteWarning}</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}

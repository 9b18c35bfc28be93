/** Creates an organization, and goes to its people. */
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/create.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { NameField } from "./name-field.tsx";

export function NewOrganizationPage() {
  const navigate = useNavigate();
  const create = useChange(
    async (values: FormValues) =>
      (
        await api.POST("/orgs", {
          body: {
            name: values["name"] ?? "",
            display_name: values["display_name"] ?? "",
            description: values["description"] ?? "",
          },
        })
      ).data,
    { onDone: (made) => made && navigate(`/orgs/${made.name}`) },
  );
  const problems = fieldProblems(create.error);
  return (
    <Page title={text.newOrganization} lead={text.newOrganizationLead}>
      <Form submit={text.createOrganization} state={create} onSubmit={create.mutate}>
        <NameField autoFocus problem={problems["name"]} />
        <TextField
          name="display_name"
          label={text.displayName}
          hint={text.optional}
          maxLength={100}
          problem={problems["display_name"]}
        />
        <TextArea
          name="description"
          label={text.description}
          hint={text.optional}
          maxLength={1000}
          rows={2}
          problem={problems["description"]}
        />
      </Form>
    </Page>
  );
}

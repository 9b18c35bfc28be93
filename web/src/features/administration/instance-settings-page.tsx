/** What administrators change while the server runs. */
import { api, $api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/administration.ts";
import { SelectField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";

export function InstanceSettingsPage() {
  const settings = $api.useQuery("get", "/admin/settings");
  const save = useChange(
    ({ sign_up: chosen = "" }: FormValues) =>
      api.PATCH("/admin/settings", {
        body: { sign_up: chosen === "open" || chosen === "closed" ? chosen : null },
      }),
    { said: text.saved },
  );
  return (
    <Page title={text.settings} within={text.administration} lead={text.settingsLead}>
      <QueryView query={settings}>
        {(found) => (
          <Form submit={text.save} state={save} onSubmit={save.mutate}>
            <SelectField
              name="sign_up"
              label={text.signUp}
              defaultValue={found.sign_up ?? ""}
              problem={fieldProblems(save.error)["sign_up"]}
            >
              {Object.entries(text.signUps).map(([value, word]) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </SelectField>
          </Form>
        )}
      </QueryView>
    </Page>
  );
}

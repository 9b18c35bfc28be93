/** Registers an OAuth app and shows its secret, once. */
import { fieldProblems } from "../../api/problem.ts";
import { apps as words, text } from "../../text/settings.ts";
import { CheckField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { AppFields, appOf } from "./app-fields.tsx";
import { AppSecret } from "./app-secret.tsx";
import type { AppsOf } from "./apps-of.ts";
import { ScopeFields, scopesOf } from "./scope-fields.tsx";

export function NewApp({ of }: { of: AppsOf }) {
  const create = useChange(async (values: FormValues) => {
    const confidential = values["confidential"] !== undefined;
    const body = { ...appOf(values), scopes: scopesOf(values), confidential };
    return (await of.create(body)).data;
  });
  if (create.data)
    return (
      <Page title={words.created(create.data.name)} within={`${text.apps} · ${of.within}`}>
        <AppSecret app={create.data} toList={of.address} />
      </Page>
    );
  const problems = fieldProblems(create.error);
  return (
    <Page title={words.create} within={`${text.apps} · ${of.within}`} lead={words.createLead}>
      <Form submit={words.submit} state={create} onSubmit={create.mutate}>
        <AppFields problems={problems} />
        <ScopeFields legend={words.scopes} problem={problems["scopes"]} />
        <CheckField
          name="confidential"
          label={words.confidential}
          hint={words.confidentialHint}
          defaultChecked
        />
      </Form>
    </Page>
  );
}

/** Makes a personal access token and shows its value, once. */
import { useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text as general } from "../../text/general.ts";
import { text, tokens as words } from "../../text/settings.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { linesOf, ScopeFields, scopesOf } from "./scope-fields.tsx";
import styles from "./settings.module.css";

const suggestedDays = "90";
const choices = ["7", "30", "90", "365", ""] as const;

/** `?name=…&scopes=a,b` fills the form for somebody who was sent here for a purpose. */
export function NewTokenPage() {
  const create = useCreateToken();
  return create.data ? <Created token={create.data} /> : <TokenForm create={create} />;
}

function Created({ token }: { token: Schemas["CreatedAccessToken"] }) {
  return (
    <Page title={words.created(token.name)} within={text.tokens}>
      <div className={styles.narrow}>
        <Notice tone="warn">{general.shownOnce}</Notice>
        <CopyField label={words.value} value={token.token} />
        <div>
          <ButtonLink to="/settings/tokens">{words.toAll}</ButtonLink>
        </div>
      </div>
    </Page>
  );
}

function TokenForm({ create }: { create: ReturnType<typeof useCreateToken> }) {
  const [query] = useSearchParams();
  const problems = fieldProblems(create.error);
  return (
    <Page title={words.create} within={text.tokens} lead={words.createLead}>
      <Form submit={words.submit} state={create} onSubmit={create.mutate}>
        <TextField
          name="name"
          label={words.name}
          hint={words.nameHint}
          problem={problems["name"]}
          maxLength={100}
          defaultValue={query.get("name") ?? ""}
          required
          autoFocus
        />
        <SelectField
          name="days"
          label={words.expiry}
          problem={problems["expires_in_days"]}
          defaultValue={suggestedDays}
        >
          {choices.map((days) => (
            <option key={days} value={days}>
              {words.days[days]}
            </option>
          ))}
        </SelectField>
        <ScopeFields
          legend={words.scopes}
          problem={problems["scopes"]}
          chosen={query.get("scopes")?.split(",")}
        />
        <TextArea
          name="repositories"
          label={words.repositories}
          hint={words.repositoriesHint}
          problem={problemOf(problems, "repositories")}
          rows={3}
          spellCheck={false}
        />
        <TextArea
          name="addresses"
          label={words.addresses}
          hint={words.addressesHint}
          problem={problemOf(problems, "address_ranges")}
          rows={3}
          spellCheck={false}
        />
      </Form>
    </Page>
  );
}

function useCreateToken() {
  return useChange(async (values: FormValues) => {
    const { data } = await api.POST("/user/tokens", { body: requestOf(values) });
    return data;
  });
}

/** Of a list as a whole, or of one of its items. */
function problemOf(problems: Record<string, string>, field: string): string | undefined {
  return Object.entries(problems).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
}

function requestOf(values: FormValues) {
  return {
    name: (values["name"] ?? "").trim(),
    scopes: scopesOf(values),
    expires_in_days: values["days"] ? Number(values["days"]) : null,
    repositories: linesOf(values["repositories"]) ?? null,
    address_ranges: linesOf(values["addresses"]) ?? null,
  };
}

/** How long a repository, or all of an organization, keep runs and what belongs to them. */
import { useOutletContext } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/retention.ts";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";
import type { SeenOrganization } from "../organizations/use-organization.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

type Days = Schemas["RetentionDays"];
type Retention = Schemas["Retention"];

const fields = Object.keys(text.fields) as (keyof Days)[];

export function RepositoryRetentionPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const query = $api.useQuery("get", "/repos/{owner}/{repo}/retention", { params: { path } });
  return (
    <Page title={text.title} within={fullName} lead={text.leads.repository}>
      <Docs />
      <QueryView query={query}>
        {(retention) => (
          <RetentionForm
            retention={retention}
            readOnly={archived}
            set={(body) => api.PUT("/repos/{owner}/{repo}/retention", { params: { path }, body })}
          />
        )}
      </QueryView>
    </Page>
  );
}

export function OrganizationRetentionPage() {
  const { name: org } = useOutletContext<SeenOrganization>().organization;
  const path = { org };
  const query = $api.useQuery("get", "/orgs/{org}/retention", { params: { path } });
  return (
    <Page title={text.title} within={org} lead={text.leads.organization}>
      <Docs />
      <QueryView query={query}>
        {(retention) => (
          <RetentionForm
            retention={retention}
            readOnly={false}
            set={(body) => api.PUT("/orgs/{org}/retention", { params: { path }, body })}
          />
        )}
      </QueryView>
    </Page>
  );
}

function Docs() {
  return (
    <p>
      <a href="/docs/pipelines/retention">{text.docs}</a>
    </p>
  );
}

function RetentionForm(props: {
  retention: Retention;
  readOnly: boolean;
  set: (days: Days) => Promise<unknown>;
}) {
  const { retention, readOnly, set } = props;
  const save = useChange((values: FormValues) => set(daysOf(values)), { said: text.saved });
  const problems = fieldProblems(save.error);
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      {fields.map((field) => (
        <TextField
          key={field}
          name={field}
          type="number"
          min={1}
          max={3650}
          label={text.fields[field]}
          hint={`${text.hints[field]} ${text.holds(field, retention.effective[field])}`}
          defaultValue={retention[field] ?? ""}
          readOnly={readOnly}
          problem={problems[field]}
        />
      ))}
    </Form>
  );
}

/** An empty field stands for no rule. */
function daysOf(values: FormValues): Days {
  const of = (field: keyof Days) => (values[field] ? Number(values[field]) : null);
  return Object.fromEntries(fields.map((field) => [field, of(field)])) as unknown as Days;
}

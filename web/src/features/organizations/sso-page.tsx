/** Single sign-on of an organization: its provider, and whom that signs in. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { CheckField, TextArea, TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Person } from "../../ui/person.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { wordsOf } from "../../ui/words.ts";
import { useOrganization } from "./use-organization.ts";

type Sso = Schemas["SsoConfiguration"];

export function SsoPage() {
  const { org, organization } = useOrganization();
  const { sso_configured: isConfigured } = organization;
  const sso = $api.useQuery(
    "get",
    "/orgs/{org}/sso",
    { params: { path: { org } } },
    { enabled: isConfigured },
  );
  return (
    <Page title={text.sso} within={org} lead={text.ssoLead} actions={isConfigured ? <RemoveSso /> : null}>
      {isConfigured ? (
        <QueryView query={sso}>
          {(found) => (
            <>
              <CopyField shown label={text.callback} value={found.callback_url} />
              <CopyField shown label={text.signInAddress} value={found.sign_in_url} />
              <SsoForm sso={found} />
              <Identities />
            </>
          )}
        </QueryView>
      ) : (
        <>
          <CopyField shown label={text.callback} value={callbackOf(organization)} />
          <SsoForm key="new" sso={null} />
        </>
      )}
    </Page>
  );
}

/** A provider wants to know it before there is a configuration to ask for it (docs/sso.md). */
function callbackOf({ id, web_url: page }: Schemas["Organization"]): string {
  return new URL(`/login/sso/callback/${id}`, page).href;
}

function SsoForm({ sso }: { sso: Sso | null }) {
  const save = useSave();
  const problems = fieldProblems(save.error);
  const domainProblem = Object.entries(problems).find(([field]) => field.startsWith("email_domains"))?.[1];
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <TextField
        name="issuer"
        type="url"
        label={text.issuer}
        hint={text.issuerHint}
        placeholder="https://login.example.com"
        required
        maxLength={500}
        defaultValue={sso?.issuer}
        problem={problems["issuer"]}
      />
      <TextField
        name="client_id"
        label={text.ssoClientId}
        required
        maxLength={500}
        autoComplete="off"
        defaultValue={sso?.client_id}
        problem={problems["client_id"]}
      />
      <TextField
        name="secret"
        type="password"
        label={text.ssoSecret}
        hint={sso ? text.ssoSecretHint : undefined}
        required={sso === null}
        maxLength={1000}
        autoComplete="new-password"
        problem={problems["client_secret"]}
      />
      <TextArea
        name="domains"
        rows={1}
        label={text.domains}
        hint={text.domainsHint}
        defaultValue={sso?.email_domains.join(" ")}
        spellCheck={false}
        problem={domainProblem}
      />
      <CheckField name="provision" label={text.provision} defaultChecked={sso?.provision} />
      <CheckField name="enabled" label={text.enabled} defaultChecked={sso?.enabled ?? true} />
    </Form>
  );
}

function useSave() {
  const { org } = useOrganization();
  return useChange(
    (values: FormValues) => {
      const { secret = "" } = values;
      return api.PUT("/orgs/{org}/sso", {
        params: { path: { org } },
        body: {
          issuer: (values["issuer"] ?? "").trim(),
          client_id: (values["client_id"] ?? "").trim(),
          email_domains: wordsOf(values["domains"]),
          provision: values["provision"] !== undefined,
          enabled: values["enabled"] !== undefined,
          ...(secret === "" ? {} : { client_secret: secret }),
        },
      });
    },
    { said: text.saved },
  );
}

function RemoveSso() {
  const { org } = useOrganization();
  return (
    <ConfirmButton
      label={text.removeSso}
      title={text.removeSso}
      run={() => api.DELETE("/orgs/{org}/sso", { params: { path: { org } } })}
      gone={() => ["/orgs/{org}/sso", org]}
    >
      <p>{text.removeSsoWarning}</p>
    </ConfirmButton>
  );
}

function Identities() {
  const { org } = useOrganization();
  const pages = usePages(["sso-identities", org], (query) =>
    api.GET("/orgs/{org}/sso/identities", { params: { path: { org }, query } }),
  );
  return (
    <Section title={text.identities}>
      <PagedTable
        pages={pages}
        caption={text.identities}
        keyOf={({ id }) => id}
        empty={<p>{text.noIdentities}</p>}
        columns={[
          { title: text.name, cell: ({ user }) => <Person user={user} /> },
          { title: text.subject, wide: true, cell: ({ subject }) => <code>{subject}</code> },
          {
            title: text.used,
            cell: (row) => (row.last_used_at ? <Time at={row.last_used_at} /> : text.never),
          },
          {
            title: "",
            label: text.actions,
            cell: ({ id, user: { username } }) => (
              <ConfirmButton
                label={text.part}
                name={text.partName(username)}
                title={text.partTitle(username)}
                run={() => api.DELETE("/orgs/{org}/sso/identities/{id}", { params: { path: { org, id } } })}
              >
                <p>{text.partWarning}</p>
              </ConfirmButton>
            ),
          },
        ]}
      />
    </Section>
  );
}

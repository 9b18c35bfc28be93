/** What somebody watches by itself, and what of all they are told comes by mail, and when. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/notification-settings.ts";
import { text as settings } from "../../text/settings.ts";
import { CheckField, FieldGroup, SelectField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";
import { mailTimesOf } from "./mail-times.ts";
import { OrganizationAddresses, organizationAddressesOf } from "./organization-addresses.tsx";
import { QuietFields, TimeFields } from "./settings-times.tsx";

type Settings = Schemas["NotificationSettings"];
type Email = Schemas["Email"];

export function NotificationSettingsPage() {
  const known = $api.useQuery("get", "/user/notification-settings");
  const emails = $api.useQuery("get", "/user/emails", { params: { query: { per_page: 100 } } });
  const organizations = $api.useQuery("get", "/user/orgs", { params: { query: { per_page: 100 } } });
  const data = known.data &&
    emails.data &&
    organizations.data && { known: known.data, emails: emails.data, organizations: organizations.data };
  return (
    <Page title={text.title} within={settings.menu} lead={text.lead}>
      <QueryView query={{ data, error: known.error ?? emails.error ?? organizations.error }}>
        {(found) => <SettingsForm {...found} />}
      </QueryView>
    </Page>
  );
}

interface FormProps {
  known: Settings;
  emails: readonly Email[];
  organizations: readonly Schemas["OwnOrganization"][];
}

function SettingsForm({ known, emails, organizations }: FormProps) {
  const change = useChange(
    (values: FormValues) => api.PATCH("/user/notification-settings", { body: bodyOf(values) }),
    { said: settings.saved },
  );
  const problems = fieldProblems(change.error);
  return (
    <Form submit={settings.save} state={change} onSubmit={(values) => change.mutate(values)}>
      {emails.some(({ verified }) => verified) ? null : (
        <Notice tone="warn">
          {text.noAddress}{" "}
          <Link to="/settings/emails" data-inline>
            {text.addAddress}
          </Link>
        </Notice>
      )}
      <FieldGroup legend={text.repositories}>
        <CheckField
          name="auto_watch"
          label={text.autoWatch}
          hint={text.autoWatchHint}
          defaultChecked={known.auto_watch}
        />
      </FieldGroup>
      <FieldGroup legend={text.which}>
        <CheckField
          name="mail_participating"
          label={text.participating}
          hint={text.participatingHint}
          defaultChecked={known.mail_participating}
        />
        <CheckField name="mail_watching" label={text.watching} defaultChecked={known.mail_watching} />
      </FieldGroup>
      <AddressField {...{ known, emails }} problem={problems["email_id"]} />
      <OrganizationAddresses
        {...{ emails, problems }}
        organizations={organizations.map(({ name }) => name)}
        chosen={known.organization_addresses}
      />
      <TimeFields known={known} problems={problems} />
      <QuietFields known={known} problems={problems} />
    </Form>
  );
}

function AddressField(props: { known: Settings; emails: readonly Email[]; problem: string | undefined }) {
  const { known, emails, problem } = props;
  const primary = emails.find((email) => email.primary)?.email;
  return (
    <SelectField name="email_id" label={text.address} defaultValue={known.email_id ?? ""} problem={problem}>
      <option value="">{text.primary(primary)}</option>
      {emails
        .filter(({ verified }) => verified)
        .map(({ id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
    </SelectField>
  );
}

function bodyOf(values: FormValues): Schemas["NotificationSettingsUpdate"] {
  const { email_id: email = "" } = values;
  return {
    mail_participating: values["mail_participating"] !== undefined,
    mail_watching: values["mail_watching"] !== undefined,
    auto_watch: values["auto_watch"] !== undefined,
    email_id: email === "" ? null : email,
    ...organizationAddressesOf(values),
    ...mailTimesOf(values),
  };
}

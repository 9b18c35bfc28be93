/** Where mails of single organizations go, for whoever has more than one address. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/notification-settings.ts";
import { FieldGroup, SelectField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";

type OrganizationAddress = Schemas["OrganizationAddress"];
type Email = Schemas["Email"];

const prefix = "address_of:";

interface AddressesProps {
  /** Names; those that have an address are shown in any case. */
  organizations: readonly string[];
  chosen: readonly OrganizationAddress[];
  emails: readonly Email[];
  problems: Record<string, string>;
}

export function OrganizationAddresses({ organizations, chosen, emails, problems }: AddressesProps) {
  const verified = emails.filter((email) => email.verified);
  const named = [...new Set([...chosen.map(({ organization }) => organization), ...organizations])];
  if (named.length === 0 || (verified.length < 2 && chosen.length === 0)) return null;
  return (
    <FieldGroup legend={text.organizations} problem={problemOf(problems)}>
      <p>{text.organizationsHint}</p>
      {named.toSorted().map((name) => (
        <SelectField
          key={name}
          name={`${prefix}${name}`}
          label={name}
          defaultValue={chosen.find(({ organization }) => organization === name)?.email_id ?? ""}
        >
          <option value="">{text.usualAddress}</option>
          {verified.map(({ id, email }) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
        </SelectField>
      ))}
    </FieldGroup>
  );
}

/** What is refused was removed meanwhile, here or in another window. */
function problemOf(problems: Record<string, string>): string | undefined {
  return Object.entries(problems).find(([field]) => field.startsWith("organization_addresses"))?.[1];
}

/** What the fields say, as a body of the API; nothing where they are not shown. */
export function organizationAddressesOf(values: FormValues): {
  organization_addresses?: OrganizationAddress[];
} {
  const fields = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  if (fields.length === 0) return {};
  const chosen = fields.filter(([, id]) => id !== "");
  return {
    organization_addresses: chosen.map(([name, id]) => ({
      organization: name.slice(prefix.length),
      email_id: id,
    })),
  };
}

/** Asks somebody to join an organization, and shows them among those who were asked. */
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/organizations.ts";
import type { ButtonProps } from "../../ui/button.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { RoleOptions, roleOf } from "./role-options.tsx";
import { useOrganization } from "./use-organization.ts";

export function InviteButton({ kind = "primary" }: { kind?: NonNullable<ButtonProps["kind"]> }) {
  const { org } = useOrganization();
  const navigate = useNavigate();
  return (
    <FormButton
      label={text.invite}
      title={text.inviteTitle}
      lead={text.inviteLead}
      kind={kind}
      run={(values) =>
        api.POST("/orgs/{org}/invitations", {
          params: { path: { org } },
          body: { username: (values["username"] ?? "").trim(), role: roleOf(values["role"]) },
        })
      }
      onDone={() => navigate(`/orgs/${org}/invitations`)}
    >
      {(problems) => (
        <>
          <NameInput name="username" label={text.userName} autoFocus problem={problems["username"]} />
          <SelectField name="role" label={text.role} defaultValue="member">
            <RoleOptions />
          </SelectField>
        </>
      )}
    </FormButton>
  );
}

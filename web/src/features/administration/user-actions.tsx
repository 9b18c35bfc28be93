/** What an administrator can do with an account. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/administration.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { RowActions } from "../../ui/row-actions.tsx";

type User = Schemas["AdministeredUser"];

export function UserActions({ user }: { user: User }) {
  const isOwn = useSignedIn().user.id === user.id;
  return (
    <RowActions>
      {user.type === "bot" || (isOwn && user.admin) ? null : <AdminAction user={user} />}
      {user.two_factor_enabled ? <TwoFactorAction user={user} /> : null}
      {isOwn ? null : <SuspensionAction user={user} />}
    </RowActions>
  );
}

function AdminAction({ user: { username, admin } }: { user: User }) {
  if (admin)
    return (
      <ConfirmButton
        label={text.endAdmin}
        title={text.endAdminTitle(username)}
        said={text.saved}
        run={() => change(username, { admin: false })}
      />
    );
  return (
    <ConfirmButton
      label={text.makeAdmin}
      title={text.makeAdminTitle(username)}
      said={text.saved}
      run={() => change(username, { admin: true })}
    >
      <p>{text.makeAdminHint}</p>
    </ConfirmButton>
  );
}

function TwoFactorAction({ user: { username } }: { user: User }) {
  return (
    <ConfirmButton
      label={text.removeTwoFactor}
      title={text.removeTwoFactorTitle(username)}
      said={text.saved}
      run={() => api.DELETE("/admin/users/{username}/two-factor", { params: { path: { username } } })}
    >
      <p>{text.removeTwoFactorHint}</p>
    </ConfirmButton>
  );
}

function SuspensionAction({ user: { username, suspended } }: { user: User }) {
  if (suspended)
    return (
      <ConfirmButton
        label={text.unsuspend}
        title={text.unsuspendTitle(username)}
        said={text.saved}
        kind="normal"
        run={() => change(username, { suspended: false })}
      />
    );
  return (
    <ConfirmButton
      label={text.suspend}
      title={text.suspendTitle(username)}
      said={text.saved}
      run={() => change(username, { suspended: true })}
    >
      <p>{text.suspendHint}</p>
    </ConfirmButton>
  );
}

function change(username: string, body: Schemas["AdministeredUserUpdate"]) {
  return api.PATCH("/admin/users/{username}", { params: { path: { username } }, body });
}

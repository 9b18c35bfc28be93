/** What all pages of one's own settings stand in. */
import { Outlet } from "react-router";
import { text } from "../../text/settings.ts";
import { text as imports } from "../../text/import-people.ts";
import { text as notifications } from "../../text/notification-settings.ts";
import { text as storage } from "../../text/storage.ts";
import { SideLayout } from "../../ui/side-layout.tsx";

export const settingsLinks = [
  { to: "/settings", label: text.profile, exact: true, group: text.groups.you },
  { to: "/settings/emails", label: text.emails },
  { to: "/settings/notifications", label: notifications.title },
  { to: "/settings/invitations", label: text.invitations },
  { to: "/settings/imported-texts", label: imports.own },
  { to: "/settings/password", label: text.password, group: text.groups.signIn },
  { to: "/settings/two-factor", label: text.twoFactor },
  { to: "/settings/passkeys", label: text.passkeys },
  { to: "/settings/sso", label: text.sso },
  { to: "/settings/sessions", label: text.sessions },
  { to: "/settings/tokens", label: text.tokens, group: text.groups.access },
  { to: "/settings/keys", label: text.keys },
  { to: "/settings/gpg-keys", label: text.gpgKeys },
  { to: "/settings/grants", label: text.grants },
  { to: "/settings/oauth-apps", label: text.apps },
  { to: "/settings/storage", label: storage.title, group: text.groups.use },
];

export function SettingsLayout() {
  return (
    <SideLayout label={text.menu} title={text.menu} links={settingsLinks}>
      <Outlet />
    </SideLayout>
  );
}

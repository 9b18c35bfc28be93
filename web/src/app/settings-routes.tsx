/** One's own settings, for whoever is signed in. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";
import { NotFound } from "../ui/not-found.tsx";
import { SignedInOnly } from "./signed-in-only.tsx";

export const settingsRoute: RouteObject = {
  element: <SignedInOnly />,
  children: [
    {
      path: "/settings",
      lazy: lazyPage(() => import("../features/settings/settings-layout.tsx"), "SettingsLayout"),
      children: [
        {
          index: true,
          lazy: lazyPage(() => import("../features/settings/profile-page.tsx"), "ProfilePage"),
        },
        {
          path: "emails",
          lazy: lazyPage(() => import("../features/settings/emails-page.tsx"), "EmailsPage"),
        },
        {
          path: "notifications",
          lazy: lazyPage(
            () => import("../features/notifications/settings-page.tsx"),
            "NotificationSettingsPage",
          ),
        },
        {
          path: "password",
          lazy: lazyPage(() => import("../features/settings/password-page.tsx"), "PasswordPage"),
        },
        {
          path: "two-factor",
          lazy: lazyPage(() => import("../features/settings/two-factor-page.tsx"), "TwoFactorPage"),
        },
        {
          path: "passkeys",
          lazy: lazyPage(() => import("../features/settings/passkeys-page.tsx"), "PasskeysPage"),
        },
        {
          path: "sessions",
          lazy: lazyPage(() => import("../features/settings/sessions-page.tsx"), "SessionsPage"),
        },
        {
          path: "tokens",
          lazy: lazyPage(() => import("../features/settings/tokens-page.tsx"), "TokensPage"),
        },
        {
          path: "tokens/new",
          lazy: lazyPage(() => import("../features/settings/new-token-page.tsx"), "NewTokenPage"),
        },
        {
          path: "keys",
          lazy: lazyPage(() => import("../features/settings/ssh-keys-page.tsx"), "SshKeysPage"),
        },
        {
          path: "gpg-keys",
          lazy: lazyPage(() => import("../features/settings/gpg-keys-page.tsx"), "GpgKeysPage"),
        },
        {
          path: "invitations",
          lazy: lazyPage(() => import("../features/settings/invitations-page.tsx"), "InvitationsPage"),
        },
        {
          path: "imported-texts",
          lazy: lazyPage(() => import("../features/imports/import-requests-page.tsx"), "ImportRequestsPage"),
        },
        {
          path: "grants",
          lazy: lazyPage(() => import("../features/settings/grants-page.tsx"), "GrantsPage"),
        },
        {
          path: "oauth-apps",
          lazy: lazyPage(() => import("../features/settings/apps-page.tsx"), "AppsPage"),
        },
        {
          path: "oauth-apps/new",
          lazy: lazyPage(() => import("../features/settings/apps-page.tsx"), "NewAppPage"),
        },
        {
          path: "storage",
          lazy: lazyPage(() => import("../features/settings/storage-page.tsx"), "OwnStoragePage"),
        },
        { path: "sso", lazy: lazyPage(() => import("../features/settings/sso-page.tsx"), "SsoPage") },
        { path: ":page", element: <NotFound /> },
      ],
    },
  ],
};

/** Organizations and their parts. `orgs` is no name of an owner. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";
import { NotFound } from "../ui/not-found.tsx";
import { SignedInOnly } from "./signed-in-only.tsx";

export const organizationRoutes: RouteObject[] = [
  {
    element: <SignedInOnly />,
    children: [
      {
        path: "/orgs",
        lazy: lazyPage(() => import("../features/organizations/organizations-page.tsx"), "OrganizationsPage"),
      },
    ],
  },
  {
    path: "/orgs/:org",
    lazy: lazyPage(() => import("../features/organizations/organization-layout.tsx"), "OrganizationLayout"),
    children: [
      {
        index: true,
        lazy: lazyPage(
          () => import("../features/organizations/organization-repositories-page.tsx"),
          "OrganizationRepositoriesPage",
        ),
      },
      {
        lazy: lazyPage(() => import("../features/organizations/owners-only.tsx"), "MembersOnly"),
        children: [
          {
            path: "people",
            lazy: lazyPage(
              () => import("../features/organizations/organization-members-page.tsx"),
              "OrganizationMembersPage",
            ),
          },
          {
            path: "teams",
            lazy: lazyPage(() => import("../features/organizations/teams-page.tsx"), "TeamsPage"),
          },
          {
            path: "teams/*",
            lazy: lazyPage(() => import("../features/organizations/team-pages.tsx"), "TeamPages"),
          },
        ],
      },
      {
        lazy: lazyPage(() => import("../features/organizations/owners-only.tsx"), "OwnersOnly"),
        children: [
          {
            path: "invitations",
            lazy: lazyPage(() => import("../features/organizations/invitations-page.tsx"), "InvitationsPage"),
          },
          {
            path: "bots",
            lazy: lazyPage(() => import("../features/organizations/bots-page.tsx"), "BotsPage"),
          },
          {
            path: "oauth-apps",
            lazy: lazyPage(() => import("../features/organizations/apps-page.tsx"), "OrganizationAppsPage"),
          },
          {
            path: "oauth-apps/new",
            lazy: lazyPage(() => import("../features/organizations/apps-page.tsx"), "NewOrganizationAppPage"),
          },
          { path: "sso", lazy: lazyPage(() => import("../features/organizations/sso-page.tsx"), "SsoPage") },
          {
            path: "retention",
            lazy: lazyPage(
              () => import("../features/retention/retention-page.tsx"),
              "OrganizationRetentionPage",
            ),
          },
          {
            path: "variables",
            lazy: lazyPage(() => import("../features/variables/variables-page.tsx"), "VariablesPage"),
          },
          {
            path: "secrets",
            lazy: lazyPage(() => import("../features/secrets/secrets-page.tsx"), "SecretsPage"),
          },
          {
            path: "secrets/:name",
            lazy: lazyPage(() => import("../features/secrets/secret-page.tsx"), "SecretPage"),
          },
          {
            path: "webhooks",
            lazy: lazyPage(() => import("../features/webhooks/webhooks-page.tsx"), "WebhooksPage"),
          },
          {
            path: "runners",
            lazy: lazyPage(
              () => import("../features/runners/organization-runners-page.tsx"),
              "OrganizationRunnersPage",
            ),
          },
          {
            path: "concurrency-groups",
            lazy: lazyPage(
              () => import("../features/concurrency/organization-concurrency-page.tsx"),
              "OrganizationConcurrencyPage",
            ),
          },
          {
            path: "webhooks/:id",
            lazy: lazyPage(() => import("../features/webhooks/webhook-page.tsx"), "WebhookPage"),
          },
          {
            path: "webhooks/:id/deliveries/:delivery",
            lazy: lazyPage(() => import("../features/webhooks/delivery-page.tsx"), "DeliveryPage"),
          },
          {
            path: "audit-log",
            lazy: lazyPage(
              () => import("../features/organizations/organization-audit-page.tsx"),
              "OrganizationAuditPage",
            ),
          },
          {
            path: "audit-log/exports",
            lazy: lazyPage(
              () => import("../features/audit-exports/organization-exports-page.tsx"),
              "OrganizationExportsPage",
            ),
          },
          {
            path: "audit-log/stream",
            lazy: lazyPage(
              () => import("../features/audit-streams/organization-stream-page.tsx"),
              "OrganizationStreamPage",
            ),
          },
          {
            path: "statistics",
            lazy: lazyPage(
              () => import("../features/run-statistics/organization-statistics-page.tsx"),
              "OrganizationStatisticsPage",
            ),
          },
          {
            path: "storage",
            lazy: lazyPage(
              () => import("../features/organizations/organization-storage-page.tsx"),
              "OrganizationStoragePage",
            ),
          },
          {
            path: "settings",
            lazy: lazyPage(
              () => import("../features/organizations/organization-settings-page.tsx"),
              "OrganizationSettingsPage",
            ),
          },
        ],
      },
      { path: "*", element: <NotFound /> },
    ],
  },
];

/** Administration of the instance: below `/-/`, since `admin` is a usual name of a user. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";
import { NotFound } from "../ui/not-found.tsx";

export const administrationRoute: RouteObject = {
  path: "/-/admin",
  lazy: lazyPage(
    () => import("../features/administration/administration-layout.tsx"),
    "AdministrationLayout",
  ),
  children: [
    { index: true, lazy: lazyPage(() => import("../features/administration/health-page.tsx"), "HealthPage") },
    { path: "users", lazy: lazyPage(() => import("../features/administration/users-page.tsx"), "UsersPage") },
    {
      path: "users/:username",
      lazy: lazyPage(() => import("../features/administration/user-page.tsx"), "AdministeredUserPage"),
    },
    {
      path: "organizations",
      lazy: lazyPage(
        () => import("../features/administration/admin-organizations-page.tsx"),
        "AdminOrganizationsPage",
      ),
    },
    {
      path: "organizations/:org",
      lazy: lazyPage(
        () => import("../features/administration/admin-organizations-page.tsx"),
        "OrganizationLimitsPage",
      ),
    },
    {
      path: "storage",
      lazy: lazyPage(() => import("../features/administration/storage-page.tsx"), "AdminStoragePage"),
    },
    {
      path: "maintenance",
      lazy: lazyPage(() => import("../features/administration/maintenance-page.tsx"), "AdminMaintenancePage"),
    },
    {
      path: "work",
      lazy: lazyPage(
        () => import("../features/administration/background-work-page.tsx"),
        "BackgroundWorkPage",
      ),
    },
    {
      path: "work/:id",
      lazy: lazyPage(
        () => import("../features/administration/background-work-item-page.tsx"),
        "BackgroundWorkItemPage",
      ),
    },
    {
      path: "announcements",
      lazy: lazyPage(() => import("../features/administration/announcements-page.tsx"), "AnnouncementsPage"),
    },
    {
      path: "announcements/:id",
      lazy: lazyPage(() => import("../features/administration/announcements-page.tsx"), "AnnouncementPage"),
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
      path: "privileged-jobs",
      lazy: lazyPage(() => import("../features/privileges/privileges-page.tsx"), "PrivilegesPage"),
    },
    {
      path: "pipeline-limits",
      lazy: lazyPage(
        () => import("../features/pipeline-limits/instance-limits-page.tsx"),
        "InstanceLimitsPage",
      ),
    },
    {
      path: "statistics",
      lazy: lazyPage(
        () => import("../features/run-statistics/instance-statistics-page.tsx"),
        "InstanceStatisticsPage",
      ),
    },
    { path: "keys", lazy: lazyPage(() => import("../features/keys/keys-page.tsx"), "KeysPage") },
    { path: "mails", lazy: lazyPage(() => import("../features/administration/mails-page.tsx"), "MailsPage") },
    {
      path: "mails/:id",
      lazy: lazyPage(() => import("../features/administration/mails-page.tsx"), "MailPage"),
    },
    {
      path: "audit-log",
      lazy: lazyPage(() => import("../features/administration/instance-audit-page.tsx"), "InstanceAuditPage"),
    },
    {
      path: "audit-log/exports",
      lazy: lazyPage(
        () => import("../features/audit-exports/instance-exports-page.tsx"),
        "InstanceExportsPage",
      ),
    },
    {
      path: "audit-log/stream",
      lazy: lazyPage(
        () => import("../features/audit-streams/instance-stream-page.tsx"),
        "InstanceStreamPage",
      ),
    },
    {
      path: "settings",
      lazy: lazyPage(
        () => import("../features/administration/instance-settings-page.tsx"),
        "InstanceSettingsPage",
      ),
    },
    { path: "*", element: <NotFound /> },
  ],
};

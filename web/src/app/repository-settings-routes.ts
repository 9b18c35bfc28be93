/** The settings of a repository, below its own address. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";

export const repositorySettingsRoutes: RouteObject[] = [
  {
    path: "settings",
    lazy: lazyPage(
      () => import("../features/repository-settings/settings-layout.tsx"),
      "RepositorySettingsLayout",
    ),
    children: [
      {
        index: true,
        lazy: lazyPage(
          () => import("../features/repository-settings/general-page.tsx"),
          "GeneralSettingsPage",
        ),
      },
      {
        path: "collaborators",
        lazy: lazyPage(
          () => import("../features/repository-settings/collaborators-page.tsx"),
          "CollaboratorsPage",
        ),
      },
      {
        path: "branches",
        lazy: lazyPage(
          () => import("../features/repository-settings/branch-protections-page.tsx"),
          "BranchProtectionsPage",
        ),
      },
      {
        path: "tags",
        lazy: lazyPage(
          () => import("../features/repository-settings/tag-protections-page.tsx"),
          "TagProtectionsPage",
        ),
      },
      {
        path: "deploy-keys",
        lazy: lazyPage(
          () => import("../features/repository-settings/deploy-keys-page.tsx"),
          "DeployKeysPage",
        ),
      },
      {
        path: "trusted-authors",
        lazy: lazyPage(
          () => import("../features/trusted-authors/trusted-authors-page.tsx"),
          "TrustedAuthorsPage",
        ),
      },
      { path: "mirror", lazy: lazyPage(() => import("../features/mirrors/mirror-page.tsx"), "MirrorPage") },
      {
        path: "imports",
        lazy: lazyPage(
          () => import("../features/imports/repository-imports-page.tsx"),
          "RepositoryImportsPage",
        ),
      },
      {
        path: "push-mirrors",
        lazy: lazyPage(() => import("../features/push-mirrors/push-mirrors-page.tsx"), "PushMirrorsPage"),
      },
      {
        path: "push-mirrors/:id",
        lazy: lazyPage(() => import("../features/push-mirrors/push-mirror-page.tsx"), "PushMirrorPage"),
      },
      {
        path: "schedules",
        lazy: lazyPage(() => import("../features/schedules/schedules-page.tsx"), "SchedulesPage"),
      },
      {
        path: "schedules/:id",
        lazy: lazyPage(() => import("../features/schedules/schedule-page.tsx"), "SchedulePage"),
      },
      {
        path: "retention",
        lazy: lazyPage(() => import("../features/retention/retention-page.tsx"), "RepositoryRetentionPage"),
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
        path: "webhooks/:id",
        lazy: lazyPage(() => import("../features/webhooks/webhook-page.tsx"), "WebhookPage"),
      },
      {
        path: "webhooks/:id/deliveries/:delivery",
        lazy: lazyPage(() => import("../features/webhooks/delivery-page.tsx"), "DeliveryPage"),
      },
      {
        path: "runners",
        lazy: lazyPage(
          () => import("../features/runners/repository-runners-page.tsx"),
          "RepositoryRunnersPage",
        ),
      },
      {
        path: "storage",
        lazy: lazyPage(
          () => import("../features/repository-settings/storage-page.tsx"),
          "RepositoryStoragePage",
        ),
      },
    ],
  },
  {
    path: "transfer",
    lazy: lazyPage(
      () => import("../features/repository-settings/repository-transfer-page.tsx"),
      "RepositoryTransferPage",
    ),
  },
];

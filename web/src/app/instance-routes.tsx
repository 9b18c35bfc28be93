/** Pages of the instance, for whoever is signed in: what is made new, imports, what was deleted, and runners. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";
import { SignedInOnly } from "./signed-in-only.tsx";

export const instanceRoutes: RouteObject[] = [
  {
    path: "/-/components",
    lazy: lazyPage(() => import("../features/components/components-page.tsx"), "ComponentsPage"),
  },
  {
    element: <SignedInOnly />,
    children: [
      {
        path: "/new",
        lazy: lazyPage(() => import("../features/create/new-repository-page.tsx"), "NewRepositoryPage"),
      },
      {
        path: "/new/import",
        lazy: lazyPage(() => import("../features/imports/new-import-page.tsx"), "NewImportPage"),
      },
      {
        path: "/-/imports",
        lazy: lazyPage(() => import("../features/imports/imports-page.tsx"), "ImportsPage"),
      },
      {
        path: "/-/imports/:id",
        lazy: lazyPage(() => import("../features/imports/import-page.tsx"), "ImportPage"),
      },
      {
        path: "/new/organization",
        lazy: lazyPage(() => import("../features/create/new-organization-page.tsx"), "NewOrganizationPage"),
      },
      {
        path: "/-/deleted/:owner/:repo",
        lazy: lazyPage(() => import("../features/repository-settings/deleted-page.tsx"), "DeletedPage"),
      },
      {
        path: "/runners",
        lazy: lazyPage(() => import("../features/runners/runners-page.tsx"), "RunnersPage"),
      },
      {
        path: "/runners/:id",
        lazy: lazyPage(() => import("../features/runners/runner-page.tsx"), "RunnerPage"),
      },
    ],
  },
];

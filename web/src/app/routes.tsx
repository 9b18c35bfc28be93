/**
 * Every address of the interface but those of `fetch-routes.ts`. Pages are fetched when somebody goes to them. Words in the first place are no names of
 * owners (`server/domains/accounts/users/names.ts`); `/-/` cannot begin a name at all.
 */
import type { RouteObject } from "react-router";
import { authorizeRoute, signInRoutes } from "./account-routes.tsx";
import { NotFound } from "../ui/not-found.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { BrokenPage } from "./broken-page.tsx";
import { codeRoutes } from "./code-routes.ts";
import { pagesId, repositoryId } from "./fetch-routes.ts";
import { Frame } from "./frame.tsx";
import { lazyPage } from "../api/fetch-part.ts";
import { SignedInOnly } from "./signed-in-only.tsx";

export const routes: RouteObject[] = [
  {
    element: <Frame />,
    errorElement: <BrokenPage />,
    HydrateFallback: Skeleton,
    children: [
      {
        id: pagesId,
        errorElement: <BrokenPage />,
        children: [
          { path: "/", lazy: lazyPage(() => import("../features/home/home-page.tsx"), "HomePage") },
          ...signInRoutes,
          {
            element: <SignedInOnly />,
            children: [
              authorizeRoute,
              {
                path: "/notifications",
                lazy: lazyPage(
                  () => import("../features/notifications/notifications-page.tsx"),
                  "NotificationsPage",
                ),
              },
            ],
          },
          // No owner is called so; nothing has to be asked.
          { path: "/-/:page/*", element: <NotFound /> },
          { path: "/:owner", lazy: lazyPage(() => import("../features/owners/owner-page.tsx"), "OwnerPage") },
          {
            id: repositoryId,
            path: "/:owner/:repo",
            lazy: lazyPage(
              () => import("../features/repositories/repository-layout.tsx"),
              "RepositoryLayout",
            ),
            children: [
              ...codeRoutes,
              {
                path: "pipelines",
                lazy: lazyPage(() => import("../features/pipelines/pipelines-page.tsx"), "PipelinesPage"),
              },
              {
                path: "pipelines/:number",
                lazy: lazyPage(() => import("../features/runs/run-page.tsx"), "RunPage"),
              },
              {
                path: "pipelines/search",
                lazy: lazyPage(() => import("../features/logs/log-search-page.tsx"), "LogSearchPage"),
              },
              {
                path: "pipelines/edit",
                lazy: lazyPage(
                  () => import("../features/pipeline-editor/pipeline-editor-page.tsx"),
                  "PipelineEditorPage",
                ),
              },
              {
                path: "pipelines/coverage",
                lazy: lazyPage(() => import("../features/reports/coverage-page.tsx"), "CoveragePage"),
              },
              {
                path: "pipelines/tests",
                lazy: lazyPage(() => import("../features/reports/tests-page.tsx"), "TestsPage"),
              },
              {
                path: "pipelines/tests/:test",
                lazy: lazyPage(() => import("../features/reports/test-page.tsx"), "TestPage"),
              },
              {
                path: "pipelines/statistics",
                lazy: lazyPage(
                  () => import("../features/run-statistics/run-statistics-page.tsx"),
                  "RunStatisticsPage",
                ),
              },
              {
                path: "pipelines/concurrency",
                lazy: lazyPage(
                  () => import("../features/concurrency/concurrency-page.tsx"),
                  "ConcurrencyPage",
                ),
              },
              { path: "*", element: <NotFound /> },
            ],
          },
          { path: "*", element: <NotFound /> },
        ],
      },
    ],
  },
];

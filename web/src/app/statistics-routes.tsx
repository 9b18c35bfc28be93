/** Statistics of a repository, and its caches. */
import { Navigate, type RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";

export const statisticsRoutes: RouteObject[] = [
  {
    path: "caches",
    lazy: lazyPage(() => import("../features/caches/caches-page.tsx"), "CachesPage"),
  },
  {
    path: "statistics",
    lazy: lazyPage(() => import("../features/statistics/statistics-page.tsx"), "StatisticsPage"),
  },
  {
    path: "statistics/dependencies",
    lazy: lazyPage(
      () => import("../features/statistics/dependencies/dependencies-page.tsx"),
      "DependenciesPage",
    ),
  },
  // Links that people keep may name these pages by the address of earlier releases.
  { path: "insights", element: <Navigate to="../statistics" replace /> },
  {
    path: "insights/dependencies",
    element: <Navigate to="../statistics/dependencies" replace />,
  },
];

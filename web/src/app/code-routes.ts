/** Addresses below a repository at which its files and commits are. Pages read ref and path from the address by themselves. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";
import { prefetchStartPage } from "../features/code/start-page-queries.ts";

export const codeRoutes: RouteObject[] = [
  {
    index: true,
    loader: prefetchStartPage,
    lazy: lazyPage(() => import("../features/code/repository-page.tsx"), "RepositoryPage"),
  },
];

/** Addresses below a repository at which its files and commits are. Pages read ref and path from the address by themselves. */
import type { RouteObject } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";
import { prefetchStartPage } from "../features/repositories/start-page-queries.ts";

export const codeRoutes: RouteObject[] = [
  {
    index: true,
    loader: prefetchStartPage,
    lazy: lazyPage(() => import("../features/repositories/repository-page.tsx"), "RepositoryPage"),
  },
  ...["tree/:ref/*", "blob/:ref/*"].map((path) => ({
    path,
    lazy: lazyPage(() => import("../features/contents/files-page.tsx"), "FilesPage"),
  })),
  ...["commits", "commits/:ref/*"].map((path) => ({
    path,
    lazy: lazyPage(() => import("../features/commits/commits-page.tsx"), "CommitsPage"),
  })),
  {
    path: "commit/:sha/*",
    lazy: lazyPage(() => import("../features/commits/commit-page.tsx"), "CommitPage"),
  },
  ...["compare", "compare/*"].map((path) => ({
    path,
    lazy: lazyPage(() => import("../features/commits/compare-page.tsx"), "ComparePage"),
  })),
  { path: "edit/:ref/*", lazy: lazyPage(() => import("../features/contents/edit-page.tsx"), "EditPage") },
  { path: "new/:ref/*", lazy: lazyPage(() => import("../features/contents/edit-page.tsx"), "NewFilePage") },
  {
    path: "branches",
    lazy: lazyPage(() => import("../features/branches/branches-page.tsx"), "BranchesPage"),
  },
  { path: "tags", lazy: lazyPage(() => import("../features/branches/tags-page.tsx"), "TagsPage") },
  { path: "sync", lazy: lazyPage(() => import("../features/fork-syncs/fork-page.tsx"), "ForkPage") },
  { path: "blame/:ref/*", lazy: lazyPage(() => import("../features/contents/blame-page.tsx"), "BlamePage") },
];

/** Pages of the issues of a repository. */
import { lazyPage } from "../api/fetch-part.ts";

export const issueRoutes = [
  { path: "issues", lazy: lazyPage(() => import("../features/issues/issues-page.tsx"), "IssuesPage") },
  {
    path: "issues/new",
    lazy: lazyPage(() => import("../features/issues/new-issue-page.tsx"), "NewIssuePage"),
  },
  {
    path: "issues/:number",
    lazy: lazyPage(() => import("../features/issues/issue-page.tsx"), "IssuePage"),
  },
];

/** Pages of issues and merge requests, and of what is on them. */
import { issueRoutes } from "./issue-routes.ts";
import { labelRoutes } from "./label-routes.ts";
import { mergeRequestRoutes } from "./merge-request-routes.ts";

export const collaborationRoutes = [...issueRoutes, ...labelRoutes, ...mergeRequestRoutes];

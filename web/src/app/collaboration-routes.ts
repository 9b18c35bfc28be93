/** Pages of issues and merge requests, and of what is on them. */
import { boardRoutes } from "./board-routes.ts";
import { issueRoutes } from "./issue-routes.ts";
import { labelRoutes } from "./label-routes.ts";
import { mergeRequestRoutes } from "./merge-request-routes.ts";

export const collaborationRoutes = [...issueRoutes, ...boardRoutes, ...labelRoutes, ...mergeRequestRoutes];

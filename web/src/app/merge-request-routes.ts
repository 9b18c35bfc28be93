/** Pages of merge requests. */
import { lazyPage } from "../api/fetch-part.ts";
import { prefetchMergeRequest } from "../features/merge-requests/prefetch-merge-request.ts";

export const mergeRequestRoutes = [
  {
    path: "merge-requests",
    lazy: lazyPage(() => import("../features/merge-requests/merge-requests-page.tsx"), "MergeRequestsPage"),
  },
  {
    path: "merge-queue",
    lazy: lazyPage(() => import("../features/merge-queue/merge-queue-page.tsx"), "MergeQueuePage"),
  },
  {
    path: "merge-requests/new",
    lazy: lazyPage(
      () => import("../features/merge-requests/new-merge-request-page.tsx"),
      "NewMergeRequestPage",
    ),
  },
  {
    path: "merge-requests/:number",
    loader: prefetchMergeRequest,
    lazy: lazyPage(() => import("../features/merge-requests/merge-request-page.tsx"), "MergeRequestPage"),
  },
  {
    path: "merge-requests/:number/commits",
    lazy: lazyPage(
      () => import("../features/merge-requests/merge-request-commits-page.tsx"),
      "MergeRequestCommitsPage",
    ),
  },
  {
    path: "merge-requests/:number/conflicts",
    lazy: lazyPage(() => import("../features/conflicts/conflicts-page.tsx"), "ConflictsPage"),
  },
  {
    path: "merge-requests/:number/files",
    lazy: lazyPage(
      () => import("../features/merge-requests/merge-request-files-page.tsx"),
      "MergeRequestFilesPage",
    ),
  },
];

/** Pages of searches in all repositories. */
import { redirect } from "react-router";
import { lazyPage } from "../api/fetch-part.ts";

const page = () => import("../features/search/search-page.tsx");

export const searchRoutes = [
  {
    path: "/search",
    loader: ({ request }: { request: Request }) => redirect(`/search/issues${new URL(request.url).search}`),
  },
  { path: "/search/issues", lazy: lazyPage(page, "IssueSearchPage") },
  { path: "/search/merge-requests", lazy: lazyPage(page, "MergeRequestSearchPage") },
];

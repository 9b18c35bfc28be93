/** What surrounds all pages: queries, the router, the nonce for styles of libraries, and short messages. */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { createBrowserRouter, RouterProvider } from "react-router";
import { $api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { mayBeSignedIn, sessionQuery } from "../api/session.ts";
import { Toasts } from "../ui/toasts.tsx";
import { fetchRoutes } from "./fetch-routes.ts";
import { routes } from "./routes.tsx";

// Requested at once, in parallel with what the first page requests; pages wait for it in the frame.
void queryClient.prefetchQuery(sessionQuery);
void queryClient.prefetchQuery($api.queryOptions("get", "/meta", {}));
if (mayBeSignedIn()) void queryClient.prefetchQuery($api.queryOptions("get", "/notifications/count", {}));
const router = createBrowserRouter(routes, { patchRoutesOnNavigation: fetchRoutes });
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";

export function App() {
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}

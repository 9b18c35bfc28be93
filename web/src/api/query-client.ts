/** How the interface asks: what is shown stays while it is asked again, and an outage is waited out. */
import { QueryClient } from "@tanstack/react-query";
import { ForgelineApiError } from "@forgeline/client/errors.ts";

const maxWaitMs = 15_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isPassing(error) && failures < 100,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, maxWaitMs) * (0.5 + Math.random()),
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

/** Whether the same question may be answered a little later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ForgelineApiError)) return error instanceof TypeError;
  return error.status >= 502 && error.status <= 504;
}

/**
 * The typed REST client for pages of an instance: the session's cookie goes along by itself, its CSRF token with whatever
 * changes something. Each answer that is no success becomes a ForgelineApiError.
 */
import createClient, { type Client } from "openapi-fetch";
import { apiErrorOf } from "./errors.ts";
import type { paths } from "./generated/api.ts";

export type BrowserClient = Client<paths>;

export interface BrowserClientOptions {
  /** `/api/v1`, or its whole address. */
  baseUrl: string;
  /** Asked at each request that changes something; undefined when nobody is signed in. */
  csrfToken: () => string | undefined;
  /** Sees every answer's status, and null when the server could not be reached. */
  onAnswer?: (status: number | null) => void;
}

export function createBrowserClient({ baseUrl, csrfToken, onAnswer }: BrowserClientOptions): BrowserClient {
  const client = createClient<paths>({ baseUrl });
  client.use({
    onRequest({ request }) {
      const token = request.method === "GET" ? undefined : csrfToken();
      if (token !== undefined) request.headers.set("X-CSRF-Token", token);
      return request;
    },
    async onResponse({ response }) {
      onAnswer?.(response.status);
      if (!response.ok && response.status !== 304) throw await apiErrorOf(response);
    },
    onError({ error }) {
      if (!(error instanceof DOMException && error.name === "AbortError")) onAnswer?.(null);
    },
  });
  return client;
}

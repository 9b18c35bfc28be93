/** The one REST client of the interface. */
import { createBrowserClient } from "@forgeline/client/browser-client.ts";
import createQueries from "openapi-react-query";
import { reportAnswer } from "./connection.ts";

let csrfToken: string | undefined;

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

export const api = createBrowserClient({
  baseUrl: `${window.location.origin}/api/v1`,
  csrfToken: () => csrfToken,
  onAnswer: reportAnswer,
});

/** `$api.useQuery("get", "/repos/{owner}/{repo}", …)`: TanStack Query over the same client, with all types. */
export const $api = createQueries(api);

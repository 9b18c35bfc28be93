/** The one REST client of the interface. */
import { createBrowserClient } from "@forgeline/client/browser-client.ts";
import createQueries from "openapi-react-query";
import { mayHaveEnded, reportAnswer } from "./connection.ts";

let csrfToken: string | undefined;

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** For requests that the client does not make. */
export function csrfHeader(): Record<string, string> {
  return csrfToken === undefined ? {} : { "X-CSRF-Token": csrfToken };
}

export const api = createBrowserClient({
  baseUrl: `${window.location.origin}/api/v1`,
  csrfToken: () => csrfToken,
  onAnswer: (status) => {
    reportAnswer(status);
    if (mayHaveEnded(status)) void askForSession();
  },
});

let isAsking = false;

/** Its answer is reported like any other: 401 when the session has ended. */
async function askForSession(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  await api.GET("/user/sessions/{id}", { params: { path: { id: "current" } } }).catch(() => undefined);
  isAsking = false;
}

/** `$api.useQuery("get", "/repos/{owner}/{repo}", …)`: TanStack Query over the same client, with all types. */
export const $api = createQueries(api);

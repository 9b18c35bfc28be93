/** A browser at one API server: keeps the session cookie, and sends what our own pages send with each request. */
import type { ApiAnswer, ApiRequest, ApiServer } from "./api-server.ts";

export interface Browser {
  /** As `server.api`, from a page of the instance. */
  send(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Signs in and keeps cookie and CSRF token, if it works. */
  signIn(username: string, password: string, more?: Record<string, unknown>): Promise<ApiAnswer>;
  /** The cookie as it is sent; empty without one. */
  cookie(): string;
  csrfToken(): string;
}

export function openBrowser(server: ApiServer, headers: Record<string, string> = {}): Browser {
  let cookie = "";
  let csrfToken = "";

  async function send(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const request: ApiRequest = {
      headers: {
        Origin: server.webUrl,
        ...(cookie === "" ? {} : { Cookie: cookie, "X-CSRF-Token": csrfToken }),
        ...headers,
      },
    };
    const answer = await server.api(method, path, body === undefined ? request : { ...request, body });
    for (const set of answer.headers["set-cookie"] ?? []) {
      const pair = set.split(";")[0] ?? "";
      cookie = set.includes("Max-Age=0") ? "" : pair;
    }
    return answer;
  }

  return {
    send,
    async signIn(username, password, more = {}) {
      const answer = await send("POST", "/user/sessions", { username, password, ...more });
      if (answer.status === 201) csrfToken = answer.json.csrf_token;
      return answer;
    },
    cookie: () => cookie,
    csrfToken: () => csrfToken,
  };
}

/** An account made through the API. */
export async function signUp(server: ApiServer, username: string, password: string): Promise<void> {
  const answer = await server.api("POST", "/users", {
    body: { username, password, email: `${username}@example.com` },
  });
  if (answer.status !== 201) throw new Error(`sign-up gave ${answer.status}: ${answer.text}`);
}

/** Single sign-on as a browser goes through it: cookies of several hosts kept apart, redirects followed one by one. */
import { readFileSync } from "node:fs";
import { request } from "node:https";
import type { ApiAnswer, ApiServer } from "./api-server.ts";
import type { TestProvider } from "./oidc-provider.ts";

export interface PageAnswer {
  status: number;
  text: string;
  location: URL | undefined;
  headers: Record<string, string | string[] | undefined>;
}

export interface Visitor {
  /** One request; no redirect is followed. `path` of the instance, or a whole address. */
  get(address: string): Promise<PageAnswer>;
  submit(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>;
  /** From `/login/sso/ORG` up to the address at which the provider sends the browser back. */
  throughProvider(organization: string, search?: string): Promise<URL>;
  /** The whole way, including what the instance answers to the callback. */
  signIn(organization: string, search?: string): Promise<PageAnswer>;
  /** The name of who is signed in; undefined for nobody. */
  whoAmI(): Promise<string | undefined>;
  cookies: Map<string, string>;
}

export function openVisitor(server: ApiServer, provider: TestProvider): Visitor {
  const jars = new Map<string, Map<string, string>>();
  const ca = [server.ca, readFileSync(provider.caFile, "utf8")];
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  function send(address: string, method: string, body?: string, headers: Record<string, string> = {}) {
    const url = new URL(address, server.webUrl);
    const jar = jarOf(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const all = {
      ...(cookie === "" ? {} : { cookie }),
      ...(body === undefined
        ? {}
        : {
            "content-type": "application/x-www-form-urlencoded",
            "content-length": String(Buffer.byteLength(body)),
            origin: url.origin,
          }),
      ...headers,
    };
    return new Promise<PageAnswer>((resolve, reject) => {
      const sending = request(url, { method, ca, agent: false, headers: all }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("error", reject).on("end", () => {
          for (const set of answer.headers["set-cookie"] ?? []) keep(jar, set);
          const { location } = answer.headers;
          resolve({
            status: answer.statusCode ?? 0,
            text,
            location: location === undefined ? undefined : new URL(location, url),
            headers: answer.headers,
          });
        });
      });
      sending.on("error", reject).end(body);
    });
  }

  const visitor: Visitor = {
    cookies: jarOf(server.webUrl),
    get: (address) => send(address, "GET"),
    submit: (path, fields, headers) => send(path, "POST", new URLSearchParams(fields).toString(), headers),
    async throughProvider(organization, search = "") {
      let answer = await visitor.get(`/login/sso/${organization}${search}`);
      for (let hops = 0; hops < 10; hops += 1) {
        if (!answer.location) throw new Error(`no redirect but ${answer.status}: ${answer.text}`);
        if (answer.location.pathname.startsWith("/login/sso/callback/")) return answer.location;
        answer = await visitor.get(answer.location.href);
      }
      throw new Error("the provider never sent the browser back");
    },
    async signIn(organization, search) {
      return visitor.get((await visitor.throughProvider(organization, search)).href);
    },
    async whoAmI() {
      const answer = await visitor.get("/api/v1/user");
      return answer.status === 200 ? (JSON.parse(answer.text) as { username: string }).username : undefined;
    },
  };
  return visitor;
}

function keep(jar: Map<string, string>, set: string): void {
  const [pair = ""] = set.split(";");
  const at = pair.indexOf("=");
  if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(pair.slice(0, at));
  else jar.set(pair.slice(0, at), pair.slice(at + 1));
}

/** An organization with single sign-on by this provider, set through the API. */
export async function organizationWithSso(
  server: ApiServer,
  provider: TestProvider,
  options: { name: string; token: string; body?: Record<string, unknown> },
): Promise<ApiAnswer> {
  const { name, token, body = {} } = options;
  const made = await server.api("POST", "/orgs", { token, body: { name } });
  if (made.status !== 201) throw new Error(`making ${name} gave ${made.status}: ${made.text}`);
  const clientId = `client-${name}`;
  provider.register(clientId, `${server.webUrl}/login/sso/callback/${made.json.id}`);
  const set = await server.api("PUT", `/orgs/${name}/sso`, {
    token,
    body: { issuer: provider.issuer, client_id: clientId, client_secret: provider.clientSecret, ...body },
  });
  if (set.status !== 200) throw new Error(`setting gave ${set.status}: ${set.text}`);
  return set;
}

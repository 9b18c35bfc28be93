/**
 * A credential that was taken back: what is being answered ends normally, the next request is refused on every server, open
 * sockets close. The same for personal tokens and those of apps, whether they are revoked or their user is suspended.
 */
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashToken } from "@forgeline/server/platform/credentials/credential.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import { openBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { connectViewer } from "../support/log-viewer.ts";
import { codeFor, exchange, registerApp, type SignedIn, type TestApp } from "../support/oauth.ts";
import { logApi, type LogApi } from "../integration/api/logs/fixture.ts";

let api: LogApi;
let server: ApiServer;
let other: ApiServer;
let admin: string;
let app: TestApp;
let person: SignedIn;
const scopes = ["repo:read", "pipeline:read", "user:read", "user:write"] as const;
/** What a server has read of a token and of a viewer it believes until it hears otherwise. */
const onlyNews = { tokenCacheMs: 3_600_000, viewerCheckMs: 3_600_000 };

beforeAll(async () => {
  api = await logApi("private", { periods: onlyNews });
  server = api.server;
  other = await startApiServer({ beside: server, periods: onlyNews });
  admin = (await server.person("chief", { isAdmin: true })).token;
  app = await registerApp(server, admin, { scopes: [...scopes] });
  await openSession();
  const token = await server.tokenFor(api.owner, ["repo:admin"]);
  await server.api("POST", "/repos", { token, body: { name: "code", private: true, readme: true } });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

/** The owner has no password; this is the cookie of a sign-in. */
async function openSession(): Promise<void> {
  const from = { id: "", ipAddress: "127.0.0.1", userAgent: "" };
  const { token } = await server.container.platform.db.transaction((tx) =>
    server.container.accounts.sessions.open(tx, api.owner, { method: "password", request: from }),
  );
  const cookie = `__Host-forgeline_session=${token}`;
  person = { browser: { ...openBrowser(server), cookie: () => cookie }, username: api.owner.username };
}

interface Live {
  token: string;
  end(): Promise<void>;
}

const asOwner = async () => server.tokenFor(api.owner, ["user:read", "user:write"]);

const kinds: Record<string, () => Promise<Live>> = {
  "a personal token that is revoked": async () => {
    const token = await server.tokenFor(api.owner, scopes);
    const mine = (await server.api("GET", "/user/tokens", { token: await asOwner() })).json.find(
      (each: { scopes: string[] }) => each.scopes.length === scopes.length,
    );
    return {
      token,
      end: async () => {
        const answer = await server.api("DELETE", `/user/tokens/${mine.id}`, { token: await asOwner() });
        expect(answer.status).toBe(204);
      },
    };
  },
  "an app's token whose grant is withdrawn": async () => {
    const code = await codeFor(server, person, app, { scope: scopes.join(",") });
    const { access_token: token } = (await exchange(server, app, code)).json;
    return {
      token,
      end: async () => {
        const own = await asOwner();
        const [grant] = (await server.api("GET", "/user/grants", { token: own })).json;
        expect((await server.api("DELETE", `/user/grants/${grant.id}`, { token: own })).status).toBe(204);
      },
    };
  },
  "an app's token whose user is suspended": async () => {
    const code = await codeFor(server, person, app, { scope: scopes.join(",") });
    const { access_token: token } = (await exchange(server, app, code)).json;
    return {
      token,
      end: async () => {
        const path = `/admin/users/${api.owner.username}/suspension`;
        expect((await server.api("PUT", path, { token: admin })).status).toBe(204);
      },
    };
  },
};

interface Held {
  call: ClientRequest;
  answer: Promise<{ status: number; text: string }>;
}

/** Sent but for the end of its body, and let in by the server, which notes the use of a token first. */
async function begin(
  method: string,
  url: string,
  token: string,
  headers: Record<string, string>,
): Promise<Held> {
  const call = request(url, {
    method,
    ca: server.ca,
    agent: false,
    headers: { Authorization: `Bearer ${token}`, "Transfer-Encoding": "chunked", ...headers },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    call.on("response", resolve).on("error", reject),
  ).then(async (response) => {
    const parts: Buffer[] = [];
    for await (const part of response as AsyncIterable<Buffer>) parts.push(part);
    return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("latin1") };
  });
  call.flushHeaders();
  await eventually(async () => {
    const row = await server.container.platform.db.one(
      "select 1 from access_tokens where token_hash = $1 and last_used_at is not null",
      [hashToken(token)],
    );
    return row !== undefined;
  });
  return { call, answer };
}

/** After `begin`, which waits for the first use. */
const becomesKnownElsewhere = async (token: string) =>
  expect((await other.api("GET", "/user", { token })).status).toBe(200);
const refusedEverywhere = async (token: string) => {
  expect((await server.api("GET", "/user", { token })).status).toBe(401);
  await eventually(async () => (await other.api("GET", "/user", { token })).status === 401);
};

describe.each(Object.entries(kinds))("%s", (_what, make) => {
  const restore = async () => {
    await server.api("DELETE", `/admin/users/${api.owner.username}/suspension`, { token: admin });
    await openSession();
  };

  test("REST: what is being answered ends normally, then it is refused", async () => {
    const { token, end } = await make();
    const held = await begin("PATCH", `${server.baseUrl}/user`, token, {
      "Content-Type": "application/json",
    });
    held.call.write('{"name": "in ');
    await becomesKnownElsewhere(token);
    await end();
    held.call.end('flight"}');
    const { status, text } = await held.answer;
    expect([status, JSON.parse(text).name]).toEqual([200, "in flight"]);
    await refusedEverywhere(token);
    await restore();
  });

  test("Git: the same for a fetch", async () => {
    const { token, end } = await make();
    const repository = `${server.webUrl}/${api.owner.username}/code.git`;
    const held = await begin("POST", `${repository}/git-upload-pack`, token, {
      "Content-Type": "application/x-git-upload-pack-request",
      "Git-Protocol": "version=2",
    });
    held.call.write("0014command=ls-");
    await becomesKnownElsewhere(token);
    await end();
    held.call.end("refs\n0000");
    const { status, text } = await held.answer;
    expect([status, text.includes("refs/heads/main")]).toEqual([200, true]);
    const path = repository.slice(server.webUrl.length);
    for (const at of [server, other])
      await eventually(async () => {
        const refs = await at.api("GET", `/${path}/info/refs?service=git-upload-pack`, { token });
        return refs.status === 401;
      });
    await restore();
  });

  test("log sockets close on every server", async () => {
    const { token, end } = await make();
    const viewers = [server, other].map((at) =>
      connectViewer(`${at.baseUrl.replace("https:", "wss:")}${api.path}/logs/stream`, {
        headers: { Authorization: `Bearer ${token}` },
        ca: at.ca,
      }),
    );
    for (const viewer of viewers) await eventually(() => viewer.messages.length > 0);
    await end();
    for (const viewer of viewers) expect((await viewer.closed).code).toBe(4401);
    await restore();
  });
});

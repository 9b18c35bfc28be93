/**
 * Who has the database has no credential: no secret that was given out stands in it, in any form, and nothing that stands
 * in it works as a credential, not even dressed as a token with the right prefix and checksum.
 */
import { crc32 } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import {
  askToken,
  codeFor,
  exchange,
  registerApp,
  signedIn,
  type SignedIn,
  type TestApp,
} from "../support/oauth.ts";
import { ensure } from "./access-matrix/places.ts";

let server: ApiServer;
let owner: pg.Client;
let ada: SignedIn;
let app: TestApp;
/** Everything that is shown once, by what it is. */
const secrets: Record<string, string> = {};
beforeAll(async () => {
  server = await startApiServer();
  owner = new pg.Client({ connectionString: server.database.ownerUrl });
  await owner.connect();
  const admin = (await server.person("chief", { isAdmin: true })).token;
  ada = await signedIn(server, "ada");
  app = await registerApp(server, admin);
  const given = (await exchange(server, app, await codeFor(server, ada, app))).json;
  const send = async (path: string, body: object, token = admin) =>
    ensure(await server.api("POST", path, { token, body })).json;
  await send("/orgs", { name: "acme" });
  await send("/orgs/acme/bots", { name: "robo", scopes });
  await send("/repos", { name: "app", readme: true });
  const registration = await send("/runners/registration-tokens", { uses: 2 });
  const runner = await send("/runners/register", { token: registration.token, name: "one" });
  const prepared = await ada.browser.send("POST", "/user/two-factor", { password: "a very long password" });
  Object.assign(secrets, {
    password: "a very long password",
    "personal token": admin,
    "bot's token": (await send("/orgs/acme/bots/robo/tokens", { name: "t", scopes })).token,
    session: ada.browser.cookie().split("=")[1] ?? "",
    "CSRF token": ada.browser.csrfToken(),
    "app's access token": given.access_token,
    "app's refresh token": given.refresh_token,
    "app's secret": app.client_secret ?? "",
    "app's code": await codeFor(server, ada, app),
    "registration token": registration.token,
    "runner's credential": runner.credential,
    "second factor": prepared.json.secret,
  });
});
afterAll(async () => {
  await owner?.end();
  await server?.stop();
});

async function everyRow(): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    "select format('%I', table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const rows = [];
  for (const { name } of tables) {
    const result = await owner.query<{ text: string }>(`select t::text as text from ${name} t`);
    rows.push(...result.rows.map(({ text }) => `${name} ${text}`));
  }
  return rows;
}

test("no secret that was given out stands in any column, in any form", async () => {
  expect(Object.entries(secrets).filter(([, value]) => value.length < 16)).toEqual([]);
  const rows = await everyRow();
  expect(rows.length).toBeGreaterThan(30);
  const found = Object.entries(secrets).flatMap(([what, value]) => {
    const bytes = Buffer.from(value);
    const forms = [value, bytes.toString("hex"), bytes.toString("base64").slice(0, -4)];
    // The random part alone, as text and as the bytes that it stands for.
    const random = /^svc_[a-z]+_(.{43})/.exec(value)?.[1];
    if (random) forms.push(random, Buffer.from(random, "base64url").toString("hex"));
    return rows
      .filter((row) => forms.some((form) => row.includes(form)))
      .map((row) => `${what} in ${row.split(" ")[0]}`);
  });
  expect(found).toEqual([]);
});

const kinds = ["pat", "bot", "oauth", "session", "refresh", "client", "code", "reg", "runner", "job", "once"];

/** What a thief could make of a stored value. */
function dressed(word: string): string[] {
  const hex = /^\\*x([0-9a-f]{32,})$/.exec(word)?.[1];
  const bytes = hex === undefined ? undefined : Buffer.from(hex, "hex");
  const bodies = bytes
    ? [bytes.toString("hex"), bytes.toString("base64url"), bytes.toString("base64")]
    : [word];
  return bodies.flatMap((body) => [
    body,
    ...kinds.map((kind) => `svc_${kind}_${body}`),
    ...kinds.map((kind) => {
      const start = `svc_${kind}_${body}`;
      return `${start}${crc32(start).toString(16).padStart(8, "0")}`;
    }),
  ]);
}

test("nothing that stands in it works as a credential", async () => {
  const words = new Set(
    (await everyRow()).flatMap((row) => row.match(/\\*x[0-9a-f]{64}\b|svc_[\w-]+/g) ?? []),
  );
  expect(words.size).toBeGreaterThan(8);
  const opened: string[] = [];
  for (const word of [...words].slice(0, 40))
    for (const token of dressed(word)) {
      const kind = /^svc_(\w+?)_/.exec(token)?.[1] ?? "";
      if (["pat", "bot", "oauth", "runner", "job", ""].includes(kind)) {
        const answer = await server.api("GET", "/user", { token });
        if (answer.status !== 401) opened.push(`REST ${token} ${answer.status}`);
      }
      if (kind === "session") {
        const headers = { Cookie: `__Host-forgeline_session=${token}` };
        const answer = await server.api("GET", "/user", { headers });
        if (answer.status !== 401) opened.push(`cookie ${token} ${answer.status}`);
      }
      if (kind === "refresh" || kind === "code") {
        const fields =
          kind === "code"
            ? { code: token, redirect_uri: app.redirect_uris[0] ?? "" }
            : { grant_type: "refresh_token", refresh_token: token };
        const answer = await askToken(server, app, fields);
        if (answer.status !== 400) opened.push(`token endpoint ${token} ${answer.status}`);
      }
      if (kind === "client") {
        const answer = await askToken(
          server,
          { ...app, client_secret: token },
          { code: secrets["app's code"] ?? "" },
        );
        if (answer.status !== 401) opened.push(`client secret ${token} ${answer.status}`);
      }
      if (kind === "reg") {
        const answer = await server.api("POST", "/runners/register", { body: { token, name: "thief" } });
        if (answer.status !== 401) opened.push(`registration ${token} ${answer.status}`);
      }
    }
  expect(opened).toEqual([]);
});

test("the secrets themselves do work, so that the test before says something", async () => {
  for (const what of ["personal token", "bot's token", "app's access token"])
    expect([what, (await server.api("GET", "/user", { token: secrets[what] ?? "" })).status]).toEqual([
      what,
      200,
    ]);
  const renewed = await askToken(server, app, {
    grant_type: "refresh_token",
    refresh_token: secrets["app's refresh token"] ?? "",
  });
  expect(renewed.status).toBe(200);
  const body = { token: secrets["registration token"], name: "two" };
  expect((await server.api("POST", "/runners/register", { body })).status).toBe(201);
});

/**
 * Text that hides or turns other text, in names: refused wherever a name is chosen, so that no two names look alike.
 * Names that come by Git and may hold anything are shown marked (`test/unit/cli/output/terminal-safe.test.ts`).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada", { isAdmin: true });
  await server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
  await server.api("POST", "/repos", { token: ada.token, body: { name: "app", readme: true } });
});
afterAll(() => server?.stop());

const turning = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const invisible = [
  0x00, 0x07, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f,
  0x2028, 0x2060, 0x2063, 0xfeff, 0xe0001,
];
const codePoints = [...turning, ...invisible];
/** The same after normalisation, or to the eye. */
const lookalikes = ["ａｄａ", "аda", "ada\u0301", "ﬁle", "ad\u{1d41a}"];

/** Each place where somebody chooses a name, as a request with that name. */
const names: Record<string, (name: string) => [string, string, object]> = {
  "user name": (name) => [
    "POST",
    "/users",
    { username: name, password: "a long enough password", email: "x@example.com" },
  ],
  organization: (name) => ["POST", "/orgs", { name }],
  repository: (name) => ["POST", "/repos", { name }],
  "new name of a repository": (name) => ["PATCH", "/repos/ada/app", { name }],
  team: (name) => ["POST", "/orgs/acme/teams", { name }],
  bot: (name) => ["POST", "/orgs/acme/bots", { name, scopes: ["repo:read"] }],
};
/** Text for people, which may be of any language, and so have joiners. */
const labels: Record<string, (text: string) => [string, string, object]> = {
  "name of a person": (name) => ["PATCH", "/user", { name }],
  "name of an organization": (text) => ["PATCH", "/orgs/acme", { display_name: text }],
  "name of an OAuth app": (name) => [
    "POST",
    "/user/oauth-apps",
    { name, redirect_uris: ["https://a.example/"], scopes: ["repo:read"] },
  ],
  "name of a token": (name) => ["POST", "/user/tokens", { name, scopes: ["repo:read"] }],
  "name of a bot": (text) => [
    "POST",
    "/orgs/acme/bots",
    { name: "robo", display_name: text, scopes: ["repo:read"] },
  ],
};

const send = ([method, path, body]: [string, string, object]) =>
  server.api(method, path, { token: ada.token, body });
const shown = (code: number) => `U+${code.toString(16)}`;

test.each(Object.entries(names))("%s: only letters that nobody mistakes", async (_what, request) => {
  const accepted: string[] = [];
  for (const code of codePoints)
    if ((await send(request(`ad${String.fromCodePoint(code)}a`))).status !== 422) accepted.push(shown(code));
  for (const name of lookalikes) if ((await send(request(name))).status !== 422) accepted.push(name);
  expect(accepted).toEqual([]);
});

test.each(Object.entries(labels))(
  "%s: any language, and nothing that turns or hides text",
  async (_what, request) => {
    const accepted: string[] = [];
    for (const code of codePoints.filter((each) => each !== 0x200c && each !== 0x200d))
      if ((await send(request(`ad${String.fromCodePoint(code)}a`))).status !== 422)
        accepted.push(shown(code));
    expect(accepted).toEqual([]);
    expect((await send(request(`a${"\u0301".repeat(11)}`))).json.errors?.[0]?.message).toBe(
      "A letter can have at most 10 marks.",
    );
    expect((await send(request("Größe 名前 שם"))).status).toBeLessThan(300);
  },
);

test("names are one whatever their case", async () => {
  for (const [path, name] of [
    ["/orgs", "ACME"],
    ["/orgs", "Ada"],
    ["/repos", "APP"],
  ] as const)
    expect([name, (await server.api("POST", path, { token: ada.token, body: { name } })).status]).toEqual([
      name,
      409,
    ]);
});

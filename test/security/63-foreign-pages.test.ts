/**
 * A page of somebody else, open in the browser of one who is signed in: whatever it sends, by whatever means a page has,
 * changes nothing. Every operation there is; the consent page of OAuth is in `test/integration/api/oauth/authorize.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { databaseState, type DatabaseState } from "../support/database-state.ts";
import { documentedOperations, type Operation } from "./access-matrix/operations.ts";
import { placeNamed } from "./access-matrix/places.ts";

let server: ApiServer;
let content: DatabaseState;
let operations: Operation[];
let cookie: string;
const place = placeNamed("private");
const password = "a long enough password";
beforeAll(async () => {
  server = await startApiServer();
  await signUp(server, "olga", password);
  const browser = openBrowser(server);
  await browser.signIn("olga", password);
  cookie = browser.cookie();
  // What the addresses name is hers, so that nothing but the page's origin is in the way.
  await browser.send("POST", "/orgs", { name: place.owner });
  await browser.send("POST", "/repos", { owner: place.owner, name: place.repo, readme: true });
  await browser.send("POST", `/orgs/${place.owner}/teams`, { name: "open" });
  operations = await documentedOperations(server);
  content = await databaseState(server.database, [
    "account_tokens",
    "mail_requests",
    "mails",
    "passkey_challenges",
  ]);
});
afterAll(async () => {
  await content?.close();
  await server?.stop();
});

const boundary = "xyz";
/** As forms and scripts of a page send; JSON takes the browser a question first, which we never allow. */
const bodies: Record<string, string> = {
  "application/x-www-form-urlencoded": "name=evil&description=evil",
  [`multipart/form-data; boundary=${boundary}`]: `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nevil\r\n--${boundary}--\r\n`,
  "text/plain": '{"name":"evil"}',
  "application/json": '{"name":"evil"}',
};
/** Public: they look at the body first, and at no cookie. */
const isPublic = [
  "createPasskeySession",
  "createSession",
  "registerRunner",
  "requestPasswordReset",
  "resetPassword",
  "signUp",
  "verifyEmail",
];
/** Anybody may ask for a challenge; it is worth nothing without the passkey. */
const challenge = "preparePasskeySignIn";

test("no operation that changes something takes a cookie from there, whatever the body is", async () => {
  const target = { place, team: "open" };
  const accepted: string[] = [];
  for (const operation of operations.filter(({ method }) => method !== "GET"))
    for (const [type, body] of Object.entries(bodies)) {
      const headers = { Cookie: cookie, Origin: "https://evil.example", "Content-Type": type };
      const { status } = await server.api(operation.method, operation.pathFor(target), { headers, body });
      const isRefused = isPublic.includes(operation.id) ? status >= 400 : status === 403;
      if (!isRefused) accepted.push(`${operation.id} ${type} ${status}`);
    }
  expect(accepted.filter((line) => !line.startsWith(challenge))).toEqual([]);
  expect(await content.changed()).toEqual([]);
});

test("nobody is signed in or up from there, so that nobody works in an account that is not theirs", async () => {
  const headers = { Origin: "https://evil.example" };
  for (const [path, body] of [
    ["/user/sessions", { username: "olga", password }],
    ["/users", { username: "evil", password, email: "evil@example.com" }],
  ] as const) {
    const answer = await server.api("POST", path, { headers, body });
    expect([path, answer.status, answer.headers["set-cookie"]]).toEqual([path, 403, undefined]);
  }
});

test("no read changes anything, and a page from there may not look at an answer", async () => {
  await content.changed();
  for (const { method, pathFor } of operations.filter((each) => each.method === "GET")) {
    const headers = { Cookie: cookie, Origin: "https://evil.example" };
    const answer = await server.api(method, pathFor({ place, team: "open" }), { headers });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin");
  }
  expect(await content.changed()).toEqual([]);
});

test("the question that a browser asks before it sends JSON is never answered with yes", async () => {
  for (const path of ["/user", "/repos", "/user/sessions", "/users"]) {
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    const answer = await server.api("OPTIONS", path, { headers });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});

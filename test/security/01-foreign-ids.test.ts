/**
 * An id counts only together with its parent and with who asks: under one's own addresses, what is somebody else's, or lies
 * under another address of one's own, is answered to the byte like an id that nothing has, by every operation that takes
 * one, and nothing happens to it.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { markHeader, watchStatements, type StatementWatch } from "../support/count-statements.ts";
import { databaseState, type DatabaseState } from "../support/database-state.ts";
import { notificationOf } from "../support/notification-of.ts";
import { codeFor, exchange, registerApp, signedIn } from "../support/oauth.ts";
import { openPgpKey } from "../support/openpgp-key.ts";
import { newSshKeyLine } from "../support/ssh-key-line.ts";
import { thingsOfRuns } from "../support/things-of-runs.ts";
import { attachmentOf, fill, hookOf, importsOf, replyOf, senderOf, type Send } from "./foreign-things.ts";
import { documentedOperations, type Operation } from "./access-matrix/operations.ts";
import { ensure, placeNamed } from "./access-matrix/places.ts";

let server: ApiServer;
let watch: StatementWatch;
let state: DatabaseState;
let operations: Operation[];
let olga: TestPerson;
/** By the prefix of the id: whose or what it is, and the id. */
const foreign = new Map<string, [string, string][]>();
/** Where an id of olga's own does not belong: beginning of the path, what it is, the id. */
const misplaced: [string, string, string][] = [];
let mark = 0;

const note = (what: string, id: string) => {
  const prefix = id.slice(0, id.indexOf("_"));
  foreign.set(prefix, [...(foreign.get(prefix) ?? []), [what, id]]);
};

beforeAll(async () => {
  watch = watchStatements();
  server = await startApiServer();
  operations = await documentedOperations(server);
  olga = await server.person("olga");
  await ownThings();
  await othersThings();
  state = await databaseState(server.database);
});
afterAll(async () => {
  await state.close();
  watch.stop();
  await server.stop();
});

const sender = (token: string) => senderOf(server, token);

/** Of the instance's log, which only administrators export. */
async function instanceExport(): Promise<string> {
  const id = newId("exp");
  await server.container.platform.db.query(
    "insert into audit_exports (id, format, filters) values ($1, 'csv', '{}')",
    [id],
  );
  return id;
}

async function organizationRunner(send: Send, org: string): Promise<string> {
  const { token } = await send("POST", `/orgs/${org}/runners/registration-tokens`, {});
  return ensure(await server.api("POST", "/runners/register", { body: { token, name: "r" } })).json.id;
}

async function botToken(send: Send, org: string, name: string): Promise<string> {
  await send("POST", `/orgs/${org}/bots`, { name, scopes });
  return (await send("POST", `/orgs/${org}/bots/${name}/tokens`, { name: "t", scopes })).id as string;
}

const appBody = { name: "app", redirect_uris: ["https://client.example/"], scopes: ["repo:read"] };

/** Olga owns `acme` with the repositories `private` and `other`, and the bots `idle` and `busy`. */
async function ownThings(): Promise<void> {
  const of = thingsOfRuns(server);
  const send = sender(olga.token);
  await send("POST", "/orgs", { name: "acme" });
  const [here, there] = [
    await fill(server, send, { org: "acme", repo: "private", userId: olga.id }),
    await fill(server, send, { org: "acme", repo: "other", userId: olga.id }),
  ];
  await botToken(send, "acme", "idle");
  const busy = await botToken(send, "acme", "busy");
  const [own] = (await send("GET", "/user/tokens")) as { id: string }[];
  const ownKey = await send("POST", "/user/keys", { key: newSshKeyLine() });
  const ownApp = await send("POST", "/user/oauth-apps", appBody);
  const orgApp = await send("POST", "/orgs/acme/oauth-apps", appBody);
  await thingsOfRuns(server).deploymentOf(here.run);
  const orgHook = await hookOf(send, "/orgs/acme");
  await replyOf(send, "acme", "open");
  misplaced.push(
    ["/repos/acme/private/pipelines/", "run of another repository", there.run],
    ["/repos/acme/private/deploy-keys/", "key of another repository", there.deployKey],
    ["/repos/acme/private/deploy-keys/", "key of a person", ownKey.id],
    ["/repos/acme/private/branch-protections/", "rule of another repository", there.branchRule],
    ["/repos/acme/private/branch-protections/", "rule for tags", here.tagRule],
    ["/repos/acme/private/tag-protections/", "rule for branches", here.branchRule],
    ["/repos/acme/private/webhooks/", "webhook of another repository", there.hook],
    ["/repos/acme/private/webhooks/", "webhook of its organization", orgHook.hook],
    ["/orgs/acme/webhooks/", "webhook of a repository", here.hook],
    ["/orgs/acme/audit-log/exports/", "export of the instance's log", await instanceExport()],
    ["/repos/acme/private/push-mirrors/", "push mirror of another repository", there.pushMirror],
    ["/repos/acme/private/schedules/", "schedule of another repository", there.schedule],
    ["/repos/acme/private/signing-keys/", "signing key of another repository", there.signingKey],
    ["/repos/acme/private/comments/", "comment in another repository", there.comment],
    ["/repos/acme/private/merge-requests/1/reviews/", "review in another repository", there.review],
    ["/repos/acme/private/merge-requests/1/threads/", "thread in another repository", there.thread],
    ["/orgs/acme/teams/open/discussions/", "reply in another team", await replyOf(send, "acme")],
    ["/repos/acme/private/labels/", "label of another repository", there.label],
    ["/repos/acme/private/filters/", "filter of another repository", there.filter],
    ["/repos/acme/private/boards/", "board of another repository", there.board],
    ["/repos/acme/private/milestones/", "milestone of another repository", there.milestone],
    ["/repos/acme/private/concurrency/", "slot of another repository", await of.slotOf(there.run)],
    ["/orgs/acme/concurrency/", "slot of a group of a repository", await of.slotOf(here.run)],
    ["/repos/acme/private/caches/", "cache of another repository", await of.cacheOf(there.run)],
    [
      "/repos/acme/private/environments/v1/deployments/",
      "deployment of another repository",
      await of.deploymentOf(there.run),
    ],
    ["/repos/acme/private/tests/", "test of another repository", await of.testOf(there.run)],
    ["/user/keys/", "key of a repository", here.deployKey],
    ["/orgs/acme/bots/idle/tokens/", "token of another bot", busy],
    ["/orgs/acme/bots/idle/tokens/", "token of a person", own?.id ?? ""],
    ["/user/tokens/", "token of a bot", busy],
    ["/user/oauth-apps/", "app of an organization", orgApp.id],
    ["/orgs/acme/oauth-apps/", "app of a person", ownApp.id],
  );
}

/** The same of bea, who owns `bees`, and what only people have. */
async function othersThings(): Promise<void> {
  const of = thingsOfRuns(server);
  const browser = await signedIn(server, "bea");
  const { id } = (await server.api("GET", "/users/bea")).json;
  const token = await server.tokenFor({ id, username: "bea", token: "" }, scopes);
  const send = sender(token);
  const first = async (path: string) => ((await send("GET", path)) as { id: string }[])[0]?.id ?? "";
  await send("POST", "/orgs", { name: "bees" });
  await server.person("ivy");
  const held = await fill(server, send, { org: "bees", repo: "hive", userId: id });
  note("run", held.run);
  note("deploy key", held.deployKey);
  note("rule for branches", held.branchRule);
  note("rule for tags", held.tagRule);
  note("runner of a repository", held.runner);
  note("runner of an organization", await organizationRunner(send, "bees"));
  note("group of runners", (await send("POST", "/orgs/bees/runner-groups", { name: "g" })).id);
  note("webhook", held.hook);
  note("delivery", held.delivery);
  note("push mirror", held.pushMirror);
  note("schedule", held.schedule);
  note("signing key", held.signingKey);
  note("comment", held.comment);
  note("notification", await notificationOf(server, "bea", "hive"));
  note("review", held.review);
  note("thread", held.thread);
  note("attachment of a repository", held.attachment);
  note("reply in a discussion", await replyOf(send, "bees"));
  note("attachment of a team", await attachmentOf(send, "team=bees/talk"));
  for (const [what, held] of await importsOf(server, send)) note(what, held);
  note("label", held.label);
  note("milestone", held.milestone);
  note("board", held.board);
  note("shared filter", held.filter);
  note("saved filter", (await send("POST", "/user/filters", { name: "Open", query: "is:open" })).id);
  note("slot", await of.slotOf(held.run));
  note("slot of a group of an organization", await of.slotOf(held.run, "bees"));
  note("cache", await of.cacheOf(held.run));
  note("deployment", await of.deploymentOf(held.run));
  note("test", await of.testOf(held.run));
  note("export", (await send("POST", "/orgs/bees/audit-log/exports", { format: "csv" })).id);
  note("token of a bot", await botToken(send, "bees", "drone"));
  note("token", await first("/user/tokens"));
  note("SSH key", (await send("POST", "/user/keys", { key: newSshKeyLine() })).id);
  note("OpenPGP key", (await send("POST", "/user/gpg-keys", { key: openPgpKey })).id);
  note("session", await first("/user/sessions"));
  note("address", await first("/user/emails"));
  note("invitation", (await send("POST", "/orgs/bees/invitations", { username: "ivy" })).id);
  note("app of an organization", (await send("POST", "/orgs/bees/oauth-apps", appBody)).id);
  const app = await registerApp(server, token);
  note("app", await first("/user/oauth-apps"));
  ensure(await exchange(server, app, await codeFor(server, browser, app)));
  note("grant", await first("/user/grants"));
  await addIdentity(id);
  await addInstanceThings(id);
}

/** Of single sign-on, which takes a provider. */
async function addIdentity(userId: string): Promise<void> {
  const identity = newId("idn");
  await server.container.platform.db.query(
    `with configured as (
       insert into sso_configurations (id, organization_id, issuer, client_id, sealed_client_secret, email_domains,
         provision, provision_approved, enabled)
       select $1, id, 'https://id.example', 'x', '\\x00', '{}', false, false, true from owners where name = 'bees'
       returning organization_id, issuer)
     insert into sso_identities (id, organization_id, user_id, issuer, subject)
     select $2, organization_id, $3, issuer, 'bea-1' from configured`,
    [newId("sso"), identity, userId],
  );
  note("identity at a provider", identity);
}

/** A passkey, which takes a ceremony, and a runner of the instance, which takes an administrator. */
async function addInstanceThings(userId: string): Promise<void> {
  const { db } = server.container.platform;
  const passkey = newId("pky");
  await db.query(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, synced)
     values ($1, $2, 'phone', 'x', '\\x00', 0, '{}', false)`,
    [passkey, userId],
  );
  note("passkey", passkey);
  const chief = sender((await server.person("chief", { isAdmin: true })).token);
  const { token } = await chief("POST", "/runners/registration-tokens", {});
  const runner = await server.api("POST", "/runners/register", { body: { token, name: "r" } });
  note("runner of the instance", ensure(runner).json.id);
  note("group of the instance's runners", (await chief("POST", "/runner-groups", { name: "g" })).id);
}

const bodies: Record<string, object> = {
  updateComment: { body: "mine" },
  nameImportPerson: { login: "octocat", username: "ada" },
  addCommentReaction: { name: "heart" },
  addReviewReaction: { name: "heart" },
  addReplyReaction: { name: "heart" },
  updateReview: { body: "mine" },
  submitReview: { event: "comment", body: "mine" },
  dismissReview: { reason: "mine" },
  createThreadComment: { body: "mine" },
  updateDiscussionReply: { body: "mine" },
  moveOnBoard: { number: 1, to_column: "open" },
  decideApproval: { stage: "main", decision: "approve" },
  setRunnerGroupAccess: { access: "all" },
  updateEmail: { primary: true },
  updateOAuthApp: { name: "mine" },
  updateOrgOAuthApp: { name: "mine" },
  testWebhook: { event: "push" },
  testOrganizationWebhook: { event: "push" },
};

async function tellable(operation: Operation, path: string) {
  const headers = { [markHeader]: String(++mark) };
  const isRead = operation.method === "GET" || operation.method === "DELETE";
  const body = isRead ? {} : { body: bodies[operation.id] ?? {} };
  const answer = await server.api(operation.method, path, { token: olga.token, headers, ...body });
  const { date: _date, "x-request-id": _id, ...rest } = answer.headers;
  const statements = watch.of(String(mark)).filter((text) => !text.includes("access_tokens t join users"));
  return { status: answer.status, headers: rest, text: answer.text, statements: statements.length };
}

/** Operations that take an id, each with the address of one that nothing has. */
function addressed(): { operation: Operation; prefix: string; absent: string }[] {
  return operations.flatMap((operation) => {
    const path = operation.pathFor({ place: placeNamed("private"), team: "open" });
    const absent = path.replace(/\/pipelines\/1\b/, `/pipelines/pipe_${"0".repeat(26)}`);
    const prefix = /\/([a-z]+)_0{26}/.exec(absent)?.[1];
    // An administrator's, whoever it is about; exports are an organization's too, and keys that sign jobs a repository's.
    const isOthers =
      (prefix === "exp" && absent.startsWith("/admin/")) || absent.startsWith("/signing-keys/");
    return prefix === undefined || isOthers ? [] : [{ operation, prefix, absent }];
  });
}

test("an id of somebody else, or from elsewhere, is one that nothing has", async () => {
  const before = await state.read();
  const asked: string[] = [];
  const told: string[] = [];
  for (const { operation, prefix, absent } of addressed()) {
    const own = misplaced.filter(([begin, , id]) => absent.startsWith(begin) && id.startsWith(`${prefix}_`));
    const ids = [...(foreign.get(prefix) ?? []), ...own.map(([, what, id]) => [what, id] as const)];
    const expected = await tellable(operation, absent);
    for (const [what, id] of ids) {
      const given = await tellable(operation, absent.replace(`${prefix}_${"0".repeat(26)}`, id));
      asked.push(operation.id);
      for (const part of ["status", "text", "headers", "statements"] as const)
        if (!isDeepStrictEqual(given[part], expected[part]))
          told.push(`${operation.id}: ${what}: other ${part}`);
      if (given.status !== 404) told.push(`${operation.id}: ${what}: ${given.status}`);
    }
  }
  expect(told).toEqual([]);
  expect(await state.read()).toEqual(before);
  // A kind of id that is missing here has to be made and noted above. Announcements, mails and rotations of keys are the instance's, for its administrators alone.
  const without = addressed().filter(({ operation }) => !asked.includes(operation.id));
  expect([...new Set(without.map(({ prefix }) => prefix))].sort()).toEqual(["ann", "mail", "rot"]);
});

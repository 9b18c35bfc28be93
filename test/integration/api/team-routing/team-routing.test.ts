/** Where that goes which concerns a team: its members, a shared address, webhooks of the organization, or nobody. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Notification } from "@forgeline/schemas/notifications/resource.ts";
import { createRouteTeams } from "@forgeline/server/domains/collaboration/team-routing/route-news.ts";
import type { TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { mailServer, type MailServer } from "../../../support/mail-server.ts";
import { startWebhookBed, type WebhookBed } from "../../../support/webhook-bed.ts";
import { allSettled, tellWhileMoved } from "./settle.ts";

let smtp: MailServer;
let bed: WebhookBed;
let ada: TestPerson;
let ben: TestPerson;
let cat: TestPerson;
let confirmLink = "";
let following: Promise<unknown> | undefined;
const stopping = new AbortController();
const routing = "/orgs/acme/teams/core/routing";
const address = "core@example.com";

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  bed.server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const ok = async (person: TestPerson, method: string, path: string, body?: unknown) => {
  const answer = await send(person, method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json;
};
const web = (method: string, path: string) => bed.server.api(method, `/${path}`);
const sql = (text: string, params: unknown[] = []) => bed.server.container.platform.db.query(text, params);
const wake = () => bed.server.container.platform.db.transaction((tx) => tx.notify("mail", ""));

beforeAll(async () => {
  smtp = await mailServer();
  bed = await startWebhookBed({
    name: "team-routing",
    worker: false,
    env: { FORGELINE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, FORGELINE_MAIL_FROM: "forge@example.com" },
  });
  ada = bed.ada;
  ben = await bed.server.person("ben");
  cat = await bed.server.person("cat");
  await ok(ada, "POST", "/orgs", { name: "acme" });
  for (const name of ["ben", "cat"]) await ok(ada, "PUT", `/orgs/acme/members/${name}`, {});
  await ok(ada, "POST", "/orgs/acme/teams", { name: "core", visibility: "secret" });
  await ok(ada, "PUT", "/orgs/acme/teams/core/members/ben", { role: "member" });
  for (const name of ["app", "side"]) {
    await ok(ada, "POST", "/repos", { name, owner: "acme", private: true });
    await ok(ada, "PUT", `/repos/acme/${name}/collaborators/ben`, { permission: "read" });
  }
  await ok(ada, "PUT", "/orgs/acme/teams/core/repos/app", { permission: "read" });
  following = bed.server.container.automation.followerRunner.run("notifications", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await bed?.close();
  smtp?.server.close();
});
beforeEach(() => void smtp.taken.splice(0));

const settled = () => allSettled(bed.server.container.platform.db);
const mention = async (repository = "app", more: object = {}) => {
  const issue = { title: "Lights flicker", body: "@acme/core the text", ...more };
  const { number } = (await ok(ada, "POST", `/repos/acme/${repository}/issues`, issue)) as { number: number };
  await settled();
  return number;
};
const toldOf = async (number: number, repository = "app") =>
  ((await ok(ben, "GET", `/notifications?repository=acme/${repository}`)) as Notification[])
    .filter(({ subject }) => subject.number === number)
    .map(({ reason }) => reason);
const linkIn = (mail = "") =>
  /\/-\/team-address\/[\w.-]+/.exec(mail.replaceAll("=\n", "").replaceAll("=3D", "="))?.[0] ?? "";
const set = (body: object) => ok(ada, "PUT", routing, { address, ...body });

test("members see it, those who manage the team change it, and only what the team reads can be named", async () => {
  expect(await ok(ben, "GET", routing)).toMatchObject({ rules: [], address: null, updated_at: null });
  expect((await send(cat, "GET", routing)).status).toBe(404);
  expect((await send(ben, "PUT", routing, { rules: [] })).status).toBe(403);
  const wrong = async (body: object) => {
    const { status, json } = await send(ada, "PUT", routing, body);
    return [status, (json as { errors: { field: string }[] }).errors.map(({ field }) => field)];
  };
  const rule = { to: "members" };
  // The team does not read `side`, and there is no `none`: nobody learns which is which.
  for (const name of ["side", "none"])
    expect(await wrong({ rules: [rule, { ...rule, repositories: [name] }] })).toEqual([
      422,
      ["rules.1.repositories"],
    ]);
  expect(await wrong({ rules: [{ to: "address" }] })).toEqual([422, ["rules.0.to"]]);
  expect(await wrong({ rules: [], time_zone: "Mars/Base" })).toEqual([422, ["time_zone"]]);
  await ok(ada, "POST", "/orgs/acme/teams", { name: "open" });
  expect((await send(cat, "GET", "/orgs/acme/teams/open/routing")).status).toBe(403);
});

test("nothing but a question comes to an address that is not confirmed, and the members are told", async () => {
  await set({ rules: [{ to: "address" }] });
  await settled();
  expect(smtp.taken).toHaveLength(1);
  expect(smtp.taken[0]).not.toContain("acme/core");
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
  expect(smtp.taken).toHaveLength(1);
  const link = linkIn(smtp.taken[0]);
  confirmLink = link;
  // Programs that look at addresses change nothing.
  expect((await web("GET", link)).text).toContain("<button>Confirm</button>");
  expect(await ok(ben, "GET", routing)).toMatchObject({ address: { email: address, state: "unconfirmed" } });
  expect((await web("POST", `${link}x`)).status).toBe(404);
  expect((await web("POST", link)).status).toBe(200);
  expect(await ok(ben, "GET", routing)).toMatchObject({ address: { state: "confirmed" } });
});

test("a confirmed address gets title and link, and members only what concerns them", async () => {
  const number = await mention();
  expect(smtp.taken).toHaveLength(1);
  const mail = smtp.taken[0] ?? "";
  expect(mail).toContain(`To: ${address}`);
  expect(mail).toContain(`Subject: [acme/app] Lights flicker (#${number})`);
  expect(mail).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(mail).toContain(`/acme/app/issues/${number}`);
  expect(mail).not.toContain("the text");
  expect(mail).not.toContain("acme/core");
  expect(await toldOf(number)).toEqual([]);
  const assigned = await mention("app", { assignees: ["ben"], body: "@acme/core and @ben" });
  expect(await toldOf(assigned)).toEqual(["mention"]);
  const { id } = (await ok(ada, "GET", "/orgs/acme/teams/core")) as { id: string };
  const [item] = await sql("select id from work_items where number = $1", [number]);
  const itemId = String(item?.["id"]);
  const news = { position: 1_000_000, itemId, textId: itemId, senderId: null, event: "review_requested" };
  const left = await bed.server.container.platform.db.transaction((tx) =>
    createRouteTeams({ sends: true })(tx, news, { team_mention: [], review_requested: [id] }),
  );
  expect(left).toEqual({ team_mention: [], review_requested: [] });
  await settled();
  expect(smtp.taken.at(-1)).toContain("Your team is asked for a review.");
  const wanted = { team_mention: [], review_requested: [id] };
  const told = await bed.server.container.platform.db.transaction((tx) =>
    createRouteTeams({ sends: false })(tx, { ...news, position: 1_000_001 }, wanted),
  );
  expect(told).toEqual(wanted);
  // The team itself does not read `side`: its members are told who may.
  expect(await toldOf(await mention("side"), "side")).toEqual(["team_mention"]);
  expect(smtp.taken).toHaveLength(3);
});

test("the first rule that fits decides", async () => {
  await set({
    rules: [{ repositories: ["APP"], events: ["team_mention"], to: "nobody" }, { to: "address" }],
  });
  expect(await toldOf(await mention())).toEqual([]);
  await set({ rules: [{ to: "members" }, { to: "address" }] });
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
  expect(smtp.taken).toEqual([]);
});

test("rules for what the team reads no more do not act, and are there when it reads it again", async () => {
  const rules = [{ repositories: ["app"], to: "nobody" }, { to: "members" }];
  await set({ rules });
  const entries = () => sql("select id from audit_log where action = 'org.team_routing_update'");
  const { length } = await entries();
  await set({ rules });
  await ok(ada, "DELETE", "/orgs/acme/teams/core/repos/app");
  expect(await set({ rules: rules.slice(1) })).toMatchObject({ rules: rules.slice(1) });
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
  await ok(ada, "PUT", "/orgs/acme/teams/core/repos/app", { permission: "read" });
  expect(await ok(ben, "GET", routing)).toMatchObject({ rules });
  expect(await entries()).toHaveLength(length);
});

test("what the team can read no more when it is sent is not told", async () => {
  await set({ rules: [{ to: "address" }], digest: "daily", digest_at: "00:00" });
  await mention();
  await mention();
  expect(smtp.taken).toEqual([]);
  await ok(ada, "DELETE", "/orgs/acme/teams/core/repos/app");
  await sql("update team_mails set due_at = now()");
  await settled();
  expect(smtp.taken).toEqual([]);
  await ok(ada, "PUT", "/orgs/acme/teams/core/repos/app", { permission: "read" });
  await mention();
  await mention();
  await sql("update team_mails set due_at = now()");
  await settled();
  expect(smtp.taken).toHaveLength(1);
  expect(smtp.taken[0]).toContain("Subject: [Forgeline] 2 notifications");
});

test("webhooks of the organization that want it get it, once, and without any the members do", async () => {
  await set({ rules: [{ to: "webhook" }] });
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
  const events = ["team_notification"];
  for (const path of ["/orgs/acme", "/repos/acme/app"])
    await ok(ada, "POST", `${path}/webhooks`, { url: `${bed.receiver.url}${path}`, events });
  const number = await mention();
  const came = await eventually(() => bed.receiver.received.length > 0 && bed.receiver.received);
  expect(came.map(({ path, json }) => [path, json])).toMatchObject([
    [
      "/orgs/acme",
      {
        action: "mentioned",
        team: { full_name: "acme/core" },
        on: { type: "issue", number, title: "Lights flicker" },
        repository: { full_name: "acme/app" },
        sender: { username: "ada" },
      },
    ],
  ]);
  expect(await toldOf(number)).toEqual([]);
  // Where the repository goes to somebody else at that moment, their webhooks are told nothing.
  const { left, wanted } = await tellWhileMoved(bed.server.container.platform.db, number);
  expect(left).toEqual(wanted);
});

test("the link in a mail ends mails to the address, until it is confirmed again", async () => {
  await set({ rules: [{ to: "address" }] });
  await mention();
  expect((await web("POST", linkIn(smtp.taken[0]))).status).toBe(200);
  // The link that confirmed it once does not turn it on again.
  expect((await web("POST", confirmLink)).status).toBe(404);
  expect(await ok(ben, "GET", routing)).toMatchObject({ address: { state: "unsubscribed" } });
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
  // Setting other things asks nobody again.
  await set({ rules: [{ to: "address" }], digest: "hourly" });
  await settled();
  expect(smtp.taken).toHaveLength(1);
  // Nor does asking for it: who reads there does not want it, whichever team asks.
  const again = { address, rules: [{ to: "address" }], resend_confirmation: true };
  expect((await send(ada, "PUT", routing, again)).status).toBe(409);
  await sql("update team_address_asks set at = at - interval '31 days' where what = 'ended'");
  const forget = () => sql("update team_address_asks set at = at - interval '2 minutes'");
  // The first mail was one of five.
  for (let count = 0; count < 4; count += 1) {
    await forget();
    await set({ rules: [{ to: "address" }], resend_confirmation: true });
    expect((await send(ada, "PUT", routing, again)).status).toBe(409);
  }
  await forget();
  expect((await send(ada, "PUT", routing, again)).status).toBe(409);
  await settled();
  expect(smtp.taken).toHaveLength(5);
});

test("a team that is made anew does not have one address asked more often", async () => {
  const ask = async (name: string) => {
    const path = `/orgs/acme/teams/${name}`;
    await ok(ada, "POST", "/orgs/acme/teams", { name });
    const { status } = await send(ada, "PUT", `${path}/routing`, {
      rules: [],
      address: "Victim@example.com",
    });
    await ok(ada, "DELETE", path);
    await sql("update team_address_asks set at = at - interval '2 minutes'");
    return status;
  };
  for (let count = 0; count < 5; count += 1) expect(await ask("again")).toBe(200);
  expect(await ask("again")).toBe(409);
  await settled();
  expect(smtp.taken).toHaveLength(5);
});

test("an address gets nothing when whoever chose it manages the team no more", async () => {
  const maintain = (role: string) => ok(ada, "PUT", "/orgs/acme/teams/core/members/ben", { role });
  await maintain("maintainer");
  await sql("update team_routings set asked_count = 0");
  const own = { rules: [{ to: "address" }], address: "ben@example.net" };
  await ok(ben, "PUT", routing, own);
  await settled();
  await web("POST", linkIn(smtp.taken[0]));
  expect(await toldOf(await mention())).toEqual([]);
  expect(smtp.taken).toHaveLength(2);
  await ok(ada, "PUT", routing, { ...own, digest: "daily", digest_at: "00:00" });
  await mention();
  await maintain("member");
  expect(await ok(ben, "GET", routing)).toMatchObject({ address: { state: "unconfirmed" } });
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
  await sql("update team_mails set due_at = now()");
  await settled();
  expect(smtp.taken).toHaveLength(2);
  // Who manages it now stands for it, when it is confirmed once more.
  await sql("update team_address_asks set at = at - interval '2 minutes'");
  await ok(ada, "PUT", routing, { ...own, resend_confirmation: true });
  await settled();
  await web("POST", linkIn(smtp.taken[2]));
  expect(await toldOf(await mention())).toEqual([]);
});

test("an address whose mail is refused for good is confirmed no more", async () => {
  smtp.refuses = true;
  await mention();
  await eventually(async () => {
    await wake();
    const { address: now } = (await ok(ben, "GET", routing)) as { address: { state: string } };
    return now.state === "unconfirmed";
  });
  smtp.refuses = false;
  expect(await sql("select id from audit_log where action = 'org.team_address_refuse'")).toHaveLength(1);
  expect(await toldOf(await mention())).toEqual(["team_mention"]);
});

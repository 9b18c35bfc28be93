/** A team that is taken off the reviewers and asked again: the place that it chose is told now and then, as its members would be. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Notification } from "@forgeline/schemas/notifications/resource.ts";
import type { TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { mailServer, type MailServer } from "../../../support/mail-server.ts";
import { startWebhookBed, type WebhookBed } from "../../../support/webhook-bed.ts";
import { allSettled } from "./settle.ts";

let smtp: MailServer;
let bed: WebhookBed;
let ben: TestPerson;
let number: number;
let following: Promise<unknown> | undefined;
const stopping = new AbortController();
const R = "/repos/acme/app";

const sql = (text: string) => bed.server.container.platform.db.query(text);
const ok = async (method: string, path: string, body?: object) => {
  const answer = await bed.send(method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json;
};

beforeAll(async () => {
  smtp = await mailServer();
  bed = await startWebhookBed({
    name: "team-asked",
    worker: false,
    env: { FORGELINE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, FORGELINE_MAIL_FROM: "forge@example.com" },
  });
  ben = await bed.server.person("ben");
  await ok("POST", "/orgs", { name: "acme" });
  await ok("PUT", "/orgs/acme/members/ben", {});
  await ok("POST", "/orgs/acme/teams", { name: "core" });
  await ok("PUT", "/orgs/acme/teams/core/members/ben", { role: "member" });
  await ok("POST", "/repos", { name: "app", owner: "acme", private: true, readme: true });
  await ok("PUT", "/orgs/acme/teams/core/repos/app", { permission: "write" });
  const { branch } = branchesOver(bed.send as never, R);
  await branch("asked", { "asked.txt": "1" });
  ({ number } = await ok("POST", `${R}/merge-requests`, { title: "Look", source_branch: "asked" }));
  following = bed.server.container.automation.followerRunner.run("notifications", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await bed?.close();
  smtp?.server.close();
});
beforeEach(async () => {
  await sql("delete from team_review_tellings");
  await settled();
  smtp.taken.splice(0);
});

const settled = () => allSettled(bed.server.container.platform.db);
/** Off the list and on again. */
async function ask(): Promise<void> {
  for (const teams of [[], ["acme/core"]])
    await ok("PUT", `${R}/merge-requests/${number}/reviewers`, { teams });
  await settled();
}
const benIsTold = async () =>
  ((await bed.server.api("GET", "/notifications", { token: ben.token })).json as Notification[]).length > 0;

test("the shared address gets one mail in ten minutes, and members none in its place", async () => {
  await ok("PUT", "/orgs/acme/teams/core/routing", {
    address: "core@example.com",
    rules: [{ to: "address" }],
  });
  await settled();
  await sql("update team_routings set address_state = 'confirmed'");
  smtp.taken.splice(0);
  await ask();
  await ask();
  await ok("PUT", `${R}/merge-requests/${number}/reviewers`, { teams_again: ["acme/core"] });
  await settled();
  expect(smtp.taken).toHaveLength(1);
  expect(smtp.taken[0]).toContain("asked your team for a review");
  await sql("update team_review_tellings set told_at = now() - interval '11 minutes'");
  await ask();
  expect(smtp.taken).toHaveLength(2);
  // Other things concern the team as before.
  await ok("POST", `${R}/merge-requests/${number}/comments`, { body: "@acme/core, please" });
  await settled();
  expect(smtp.taken).toHaveLength(3);
  expect(await benIsTold()).toBe(false);
});

test("webhooks are told once in ten minutes, and members nothing in their place", async () => {
  await ok("PUT", "/orgs/acme/teams/core/routing", { rules: [{ to: "webhook" }] });
  const hook = { url: `${bed.receiver.url}/team`, events: ["team_notification"] };
  await ok("POST", "/orgs/acme/webhooks", hook);
  await ask();
  await ask();
  await sql("update team_review_tellings set told_at = now() - interval '11 minutes'");
  await ask();
  await eventually(() => bed.receiver.received.length === 2);
  const [told] = await sql("select count(*)::int as count from events where kind = 'team_notification'");
  expect(told).toEqual({ count: 2 });
  expect(await benIsTold()).toBe(false);
});

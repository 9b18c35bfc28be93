/** Who is asked for reviews of one merge request again and again: told now and then, and only as far as that is of use. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Notification } from "@forgeline/schemas/notifications/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let dan: TestPerson;
let eve: TestPerson;
let following: Promise<unknown> | undefined;
const stopping = new AbortController();
const R = "/repos/ada/app";
const M = `${R}/merge-requests`;

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const sql = (text: string) => server.container.platform.db.query(text);

beforeAll(async () => {
  server = await startApiServer();
  [ada, dan, eve] = await Promise.all([server.person("ada"), server.person("dan"), server.person("eve")]);
  await send(ada, "POST", "/repos", { name: "app", private: true, readme: true });
  await send(ada, "PUT", `${R}/collaborators/dan`, { permission: "write" });
  await send(ada, "PUT", `${R}/collaborators/eve`, { permission: "write" });
  following = server.container.automation.followerRunner.run("notifications", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await server?.stop();
});

/** How often dan was told anew since he looked the last time. */
async function timesTold(): Promise<number> {
  await eventually(async () => {
    const [left] = await sql(
      `select (select count(*) from tellings) + (select count(*) from events e, event_followers f
        where f.name = 'notifications' and e.position > f.position) as left`,
    );
    return Number(left?.["left"]) === 0;
  });
  const all = (await send(dan, "GET", "/notifications")).json as Notification[];
  await send(dan, "PUT", "/notifications", { read: true });
  return all.find(({ unread }) => unread)?.new_events ?? 0;
}

test("they are told once in ten minutes, and authors wait for a review before they ask again", async () => {
  const { branch } = branchesOver((...request) => send(ada, ...request), R);
  await branch("begged", { "begged.txt": "1" });
  const { number } = (await send(eve, "POST", M, { title: "Please", source_branch: "begged" })).json;
  await send(ada, "PUT", `${R}/collaborators/eve`, { permission: "read" });
  const set = async (wanted: object) => (await send(eve, "PUT", `${M}/${number}/reviewers`, wanted)).status;
  expect(await set({ reviewers: ["dan"] })).toBe(200);
  expect(await timesTold()).toBe(1);
  expect(await set({ again: ["dan"] })).toBe(409);
  // Off the list and on again is no way around it, neither for whoever looked meanwhile.
  for (const reviewers of [[], ["dan"], [], ["dan"]]) expect(await set({ reviewers })).toBe(200);
  expect(await timesTold()).toBe(0);
  await send(dan, "POST", `${M}/${number}/reviews`, { event: "comment", body: "Hm." });
  await sql("update notifications set review_asked_at = now() - interval '11 minutes'");
  expect(await set({ again: ["dan"] })).toBe(200);
  expect(await timesTold()).toBe(1);
  expect(await set({ again: ["dan"] })).toBe(409);
  await send(ada, "POST", `${M}/${number}/close`);
  expect(await set({ reviewers: [] })).toBe(200);
  expect(await set({ reviewers: ["dan"] })).toBe(409);
});

/** Runners of an organization: who registers and manages them, and whose jobs they are offered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { ProtocolRunner } from "../../../support/protocol-runner.ts";
import { withTexts } from "../../../support/text-database.ts";
import { insertAttempt } from "../../runner-hub/queued-attempt.ts";

let server: ApiServer;
let olga: TestPerson;
let max: TestPerson;
let eve: TestPerson;
let root: TestPerson;
let own: string;
let foreign: string;
const runners: ProtocolRunner[] = [];

const post = (path: string, person: TestPerson, body: object = {}) =>
  server.api("POST", path, { token: person.token, body });

beforeAll(async () => {
  server = await startApiServer();
  [olga, max, eve] = [await server.person("olga"), await server.person("max"), await server.person("eve")];
  root = await server.person("root", { isAdmin: true });
  await post("/orgs", olga, { name: "acme" });
  await server.api("PUT", "/orgs/acme/members/max", { token: root.token, body: { role: "member" } });
  own = (await post("/repos", olga, { owner: "acme", name: "app" })).json.id;
  foreign = (await post("/repos", eve, { name: "app" })).json.id;
});
afterAll(async () => {
  for (const runner of runners) runner.vanish();
  await server.stop();
});

async function register(labels: string[] = ["docker"]) {
  const { json } = await post("/orgs/acme/runners/registration-tokens", olga);
  expect(json).toMatchObject({
    organization: "acme",
    repository: null,
    web_url: `${server.webUrl}/orgs/acme/runners`,
  });
  const body = { token: json.token, name: "builder", labels };
  return (await server.api("POST", "/runners/register", { body })).json as {
    id: string;
    credential: string;
    connect_url: string;
  };
}

let number = 0;
async function queue(repositoryId: string): Promise<string> {
  number += 1;
  const { db } = server.container.platform;
  const given = { repositoryId, userId: olga.id, number, labels: ["docker"], job: {} };
  const { attemptId } = await insertAttempt(withTexts(db), given);
  await db.transaction((tx) => tx.notify("queue", repositoryId));
  return attemptId;
}

test("owners register and manage them; to everyone else they are not theirs, or not there", async () => {
  const { id } = await register();
  const list = await server.api("GET", "/orgs/acme/runners", { token: olga.token });
  expect(list.json.map((runner: { id: string }) => runner.id)).toContain(id);
  expect(list.json[0]).toMatchObject({ organization: "acme", repository: null, one_job: false });
  expect((await server.api("GET", "/repos/acme/app/runners", { token: olga.token })).json).toEqual([]);
  const all = await server.api("GET", "/runners", { token: root.token });
  expect(all.json.map((runner: { id: string }) => runner.id)).toContain(id);
  for (const [person, status] of [
    [max, 403],
    [eve, 404],
  ] as const) {
    expect((await post("/orgs/acme/runners/registration-tokens", person)).status).toBe(status);
    expect((await server.api("GET", "/orgs/acme/runners", { token: person.token })).status).toBe(status);
    for (const method of ["GET", "DELETE"])
      expect((await server.api(method, `/runners/${id}`, { token: person.token })).status).toBe(status);
  }
  const change = { name: "renamed", labels: ["gpu"], capacity: 2, paused: true };
  const changed = await server.api("PATCH", `/runners/${id}`, { token: olga.token, body: change });
  expect(changed.json).toMatchObject({ ...change, organization: "acme" });
  expect((await post(`/runners/${id}/drain`, olga)).json.draining).toBe(true);
  expect((await post(`/runners/${id}/resume`, olga)).json).toMatchObject({ draining: false, paused: false });
  expect((await server.api("DELETE", `/runners/${id}`, { token: olga.token })).status).toBe(204);
  expect((await server.api("GET", `/runners/${id}`, { token: olga.token })).status).toBe(404);
});

test("an owner whose token has not the scope of organizations is told which one is missing", async () => {
  const token = await server.tokenFor(olga, ["repo:admin"]);
  const answer = await server.api("POST", "/orgs/acme/runners/registration-tokens", { token, body: {} });
  expect([answer.status, answer.json.error]).toEqual([403, "insufficient_scope"]);
});

test("it is offered jobs of the organization's repositories, those that come later too, and no others", async () => {
  const { credential, connect_url: url } = await register();
  const runner = new ProtocolRunner({ url, ca: server.ca, credential, capacity: 9, labels: ["docker"] });
  runners.push(runner);
  await runner.hello();
  const theirs = await queue(foreign);
  const ours = await queue(own);
  expect((await runner.take("offer")).attemptId).toBe(ours);
  const later = (await post("/repos", olga, { owner: "acme", name: "later" })).json.id as string;
  const next = await queue(later);
  expect((await runner.take("offer")).attemptId).toBe(next);
  const states = await server.container.platform.db.query("select state from job_attempts where id = $1", [
    theirs,
  ]);
  expect(states).toEqual([{ state: "queued" }]);
  // What moves into the organization is served at once.
  await server.container.platform.db.query(
    "update repositories set owner_id = (select id from owners where name = 'acme'), name = 'moved' where id = $1",
    [foreign],
  );
  await server.container.platform.db.transaction((tx) => tx.notify("queue", foreign));
  expect((await runner.take("offer")).attemptId).toBe(theirs);
});

test("a run that waits does not name runners of another organization", async () => {
  const { credential, connect_url: url } = await register(["docker"]);
  const runner = new ProtocolRunner({ url, ca: server.ca, credential, labels: ["docker"] });
  runners.push(runner);
  await runner.hello();
  await post("/orgs", eve, { name: "other" });
  const repositoryId = (await post("/repos", eve, { owner: "other", name: "app" })).json.id as string;
  const attemptId = await queue(repositoryId);
  const run = await server.api("GET", `/repos/other/app/pipelines/${number}`, { token: eve.token });
  expect(run.text).toContain(attemptId);
  expect(run.text).toContain("No runner that can take this job is connected.");
  expect(run.text).not.toContain("builder");
});

test("the organization's audit log has all that was done with its runners", async () => {
  const { id } = await register();
  await server.api("PATCH", `/runners/${id}`, { token: olga.token, body: { paused: true } });
  const log = await server.api("GET", "/orgs/acme/audit-log?action=runner.*&per_page=100", {
    token: olga.token,
  });
  const actions = log.json
    .filter((entry: { target: { id: string } }) => entry.target.id === id)
    .map((entry: { action: string }) => entry.action);
  expect(actions).toEqual(["runner.update", "runner.register"]);
  expect(log.json.some((entry: { action: string }) => entry.action === "runner.token_create")).toBe(true);
});

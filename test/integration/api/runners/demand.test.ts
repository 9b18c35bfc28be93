/** What waits for runners, by label set: of the instance and of an organization. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunnerDemand } from "@forgeline/schemas/runners/demand.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { ProtocolRunner } from "../../../support/protocol-runner.ts";
import { withTexts } from "../../../support/text-database.ts";
import { insertAttempt } from "../../runner-hub/queued-attempt.ts";

let server: ApiServer;
let olga: TestPerson;
let root: TestPerson;
let own: string;
let foreign: string;
const runners: ProtocolRunner[] = [];

const post = (path: string, person: TestPerson, body: object = {}) =>
  server.api("POST", path, { token: person.token, body });

beforeAll(async () => {
  server = await startApiServer();
  olga = await server.person("olga");
  root = await server.person("root", { isAdmin: true });
  await post("/orgs", olga, { name: "acme" });
  own = (await post("/repos", olga, { owner: "acme", name: "app" })).json.id;
  foreign = (await post("/repos", olga, { name: "app" })).json.id;
});
afterAll(async () => {
  for (const runner of runners) runner.vanish();
  await server.stop();
});

let number = 0;
async function queue(repositoryId: string, labels: string[], secondsAgo = 0): Promise<void> {
  number += 1;
  const db = withTexts(server.container.platform.db);
  const { attemptId } = await insertAttempt(db, { repositoryId, userId: olga.id, number, labels, job: {} });
  await db.query("update job_attempts set queued_at = now() - $2 * interval '1 second' where id = $1", [
    attemptId,
    secondsAgo,
  ]);
}

/** Busy for whoever asks: it accepts nothing, so what is queued stays so. */
async function connect(scope: string, person: TestPerson, labels: string[]): Promise<void> {
  const { token } = (await post(`${scope}/registration-tokens`, person)).json;
  const body = { token, name: "r", labels, capacity: 3 };
  const { json } = await server.api("POST", "/runners/register", { body });
  const runner = new ProtocolRunner({
    url: json.connect_url,
    ca: server.ca,
    credential: json.credential,
    labels,
    capacity: 3,
  });
  runners.push(runner);
  await runner.hello();
}

const demand = async (path: string, person: TestPerson) =>
  (await server.api("GET", path, { token: person.token })).json as RunnerDemand;

test("tells queued, waiting, running and idle by label set, the longest wait first", async () => {
  expect(await demand("/runners/demand", root)).toEqual({ label_sets: [], more: 0 });
  await queue(own, ["gpu=*"], 100);
  await queue(own, ["gpu=*"], 20);
  await queue(foreign, ["!gpu", "big"], 50);
  const { label_sets: sets, more } = await demand("/runners/demand", root);
  expect(more).toBe(0);
  expect(sets.map(({ labels, queued, running, idle }) => [labels, queued, running, idle])).toEqual([
    [["gpu=*"], 2, 0, 0],
    [["!gpu", "big"], 1, 0, 0],
  ]);
  expect(sets[0]?.oldest_wait_seconds).toBeGreaterThanOrEqual(100);
});

test("counts free slots of runners that fit, and no others", async () => {
  // A mandatory label, one that is ruled out, and one that is missing.
  await connect("/orgs/acme/runners", olga, ["gpu=a100", "!paid"]);
  await connect("/runners", root, ["big", "gpu"]);
  await connect("/runners", root, ["small"]);
  await queue(own, ["gpu=*", "paid"], 10);
  const idleOf = ({ label_sets: sets }: RunnerDemand) =>
    sets.map(({ labels, idle }) => [labels.join(), idle]);
  const ofAll = idleOf(await demand("/runners/demand", root));
  // The one of the organization serves only its repositories, so for the instance it is nobody's.
  expect(ofAll).toContainEqual(["!gpu,big", 0]);
  expect(ofAll).toContainEqual(["gpu=*", 0]);
  const found = await demand("/orgs/acme/runners/demand", olga);
  expect(found.label_sets.map(({ labels }) => labels.join())).not.toContain("!gpu,big");
  const paid = found.label_sets.find(({ labels }) => labels.includes("paid"));
  expect((paid?.idle ?? 0) + (paid?.running ?? 0)).toBeGreaterThan(0);
  expect(found.label_sets.find(({ labels }) => labels.join() === "gpu=*")?.idle).toBe(0);
});

test("shows a hundred label sets, and counts the rest", async () => {
  for (let i = 0; i < 105; i++) await queue(foreign, [`only=${i}`], 1);
  const { label_sets: sets, more } = await demand("/runners/demand", root);
  expect([sets.length, more]).toEqual([100, 8]);
  expect(sets[0]?.labels).toEqual(["gpu=*"]);
});

test("is the owners' and the administrators'", async () => {
  const eve = await server.person("eve");
  expect((await server.api("GET", "/runners/demand", { token: olga.token })).status).toBe(403);
  expect((await server.api("GET", "/orgs/acme/runners/demand", { token: eve.token })).status).toBe(404);
});

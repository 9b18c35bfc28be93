/** `forgeline pipeline statistics` and `forgeline pipeline export`: figures and history, as people read them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { endRun } from "../../support/ended-runs.ts";
import { eventually } from "../../support/eventually.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
const stopping = new AbortController();
let following: Promise<void>;

beforeAll(async () => {
  people = await peopleAtTerminals({});
  const { server } = people;
  ada = await server.person("ada", { isAdmin: true });
  following = server.container.automation.followerRunner.run("runs", stopping.signal);
  await people.told(ada, "repo", "create", "code");
  const { json } = await server.api("GET", "/repos/ada/code", { token: ada.token });
  const jobs = [{ key: "unit", attempts: [{ queued: 2, ran: 90, steps: { build: 80 } }] }];
  const startedAt = new Date(Date.now() - 10 * 60_000);
  await endRun(server, { repositoryId: json.id as string, number: 1, startedAt, seconds: 95, jobs });
});
afterAll(async () => {
  stopping.abort();
  await following;
  await people?.stop();
});

const pipeline = (...args: string[]) => people.told(ada, "pipeline", "-R", "ada/code", ...args);

test("tells success, durations, waits, cost, and what is slow", async () => {
  const told = await eventually(async () => {
    const text = await pipeline("statistics", "--days", "7");
    return text.startsWith("1 runs") && text;
  });
  expect(told).toMatch(/^1 runs from [-\d]+ to [-\d]+, 100% successful$/m);
  expect(told).toMatch(/^run\t1m35s\t1m35s$/m);
  expect(told).toMatch(/^in the queue\t2\.0s\t2\.0s$/m);
  expect(told).toMatch(/^1\.5 minutes on runners, in 1 attempts$/m);
  expect(told).toMatch(/^Slowest of the last 1 runs$/m);
  expect(told).toMatch(/^unit\tbuild\t1\t0\t1m20s\t1m20s$/m);
  expect(JSON.parse(await pipeline("statistics", "--json"))).toMatchObject({ statistics: { runs: 1 } });
  expect(await pipeline("statistics", "--instance")).toMatch(/^ada\/code\t1\t100%\t1\.5$/m);
});

test("prints the history as JSON lines", async () => {
  const lines = (await pipeline("export")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ number: 1, status: "success" }]);
  expect(await pipeline("export", "--until", "2020-01-01T00:00:00Z")).toBe("");
  await people.told(ada, "org", "create", "acme");
  expect(await pipeline("export", "--org", "acme")).toBe("");
  await expect(pipeline("export", "--org", "nobody")).rejects.toThrow(
    "you are no member of an organization nobody",
  );
});

test("says what is wrong with its options", async () => {
  await expect(pipeline("statistics", "--days", "91")).rejects.toThrow("It must be a number from 1 to 90.");
  const one = "--pipeline and --branch are for one repository";
  await expect(pipeline("statistics", "--org", "acme", "--branch", "main")).rejects.toThrow(one);
});

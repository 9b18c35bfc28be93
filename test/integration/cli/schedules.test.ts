/** `forgeline schedule`: made, looked at, run, changed, turned off and deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let id = "";

beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code", "--readme");
  const content = Buffer.from("image: busybox\nsteps: ['true']\n").toString("base64");
  await people.server.api("PUT", "/repos/ada/code/contents/.forgeline.yml", {
    token: ada.token,
    body: { message: "x", content, branch: "main" },
  });
});
afterAll(() => people?.stop());

const schedule = (...args: string[]) => people.told(ada, "schedule", "-R", "ada/code", ...args);

test("is made and looked at", async () => {
  expect(await schedule("list")).toBe("");
  const zone = ["--timezone", "Europe/Berlin", "--if-missed", "run_once"];
  const made = await schedule(
    "create",
    "nightly",
    "--cron",
    "0 3 * * *",
    ...zone,
    "-v",
    "DEPTH=full",
    "-v",
    "A=b",
  );
  id = /^id\t(sched_\w+)$/m.exec(made)?.[1] ?? "";
  expect(made).toContain("times\t0 3 * * * Europe/Berlin\n");
  expect(made).toContain("state\ton\n");
  expect(made).toContain("owner\tada\n");
  expect(made).toContain("variables\tA=b DEPTH=full\n");
  expect(made.match(/^next run\t/gm)).toHaveLength(5);
  expect(await schedule("list")).toMatch(
    new RegExp(`^${id}\tnightly\t0 3 \\* \\* \\* Europe/Berlin\t\\S+\tnone\tby hand$`, "m"),
  );
});

test("is run, and says what became of that", async () => {
  expect(await schedule("run", id)).toMatch(/^started #2 {2}https:/);
  expect((await schedule("history", id)).trimEnd().split("\t").slice(1)).toEqual([
    "manual",
    "#2 created",
    "0",
    "ada",
  ]);
  expect(await schedule("view", id)).toMatch(/^last run\t\S+ #2 created$/m);
});

test("is changed, turned off and on, and deleted", async () => {
  const changed = await schedule("edit", id, "--cron", "0 5 * * *", "--name", "early");
  expect(changed).toContain("name\tearly\n");
  expect(changed).toContain("variables\tA=b DEPTH=full\n");
  expect(await schedule("disable", id)).toContain("state\toff\n");
  expect(await schedule("list")).toContain("\toff\t#2 created\t");
  expect(await schedule("enable", id)).toContain("state\ton\n");
  expect(await schedule("delete", id)).toBe(`${id} is deleted\n`);
  const refused = await people.as(ada, "schedule", "-R", "ada/code", "create", "x");
  expect([refused.code, refused.stderr]).toEqual([2, "error: say when: --cron '0 3 * * *'\n"]);
});

test("is given the inputs that the file declares", async () => {
  await people.told(ada, "repo", "create", "asks", "--readme");
  const file =
    "on: { api: , manual: { inputs: { target: { type: choice, options: [a, b], required: true }, n: { type: number } } } }\nimage: busybox\nsteps: ['true']\n";
  const content = Buffer.from(file).toString("base64");
  await people.server.api("PUT", "/repos/ada/asks/contents/.forgeline.yml", {
    token: ada.token,
    body: { message: "x", content, branch: "main" },
  });
  const asks = (...args: string[]) => people.as(ada, ...args, "-R", "ada/asks");
  const times = ["--cron", "0 3 * * *"];
  const made = await asks("schedule", "create", "nightly", ...times, "-i", "target=a", "--input", "n=5");
  expect(made.stdout).toContain("inputs\tn=5 target=a\n");
  const missing = await asks("schedule", "create", "weekly", ...times);
  expect([missing.code, missing.stderr]).toEqual([1, "error: The input target is required.\n"]);

  const ran = await asks("pipeline", "run", "-i", "target=b", "-i", "n=1.5", "--json");
  expect(JSON.parse(ran.stdout)).toMatchObject({ source: "api", inputs: { target: "b", n: 1.5 } });
  const wrong = await asks("pipeline", "run", "-i", "n=many", "-i", "ref=x");
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    [
      "error: The request failed validation.",
      "  --input: The pipeline has no input named ref. Inputs here: target, n.",
      "  --input: The input n must be a number, such as 5 or -1.5.",
      "  --input: The input target is required.",
      "",
    ].join("\n"),
  ]);
});

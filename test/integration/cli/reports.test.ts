/** `forgeline pipeline annotations|summary`: what jobs report, on a terminal. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { jobAtWork } from "../../support/job-artifacts.ts";
import { reportFrom } from "../../support/job-reports.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { insertRun } from "../../security/access-matrix/places.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let commit: string;

beforeAll(async () => {
  people = await peopleAtTerminals({});
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code", "--readme");
  const { json } = await people.server.api("GET", "/repos/ada/code", { token: ada.token });
  const repositoryId = json.id as string;
  const commits = await people.server.api("GET", "/repos/ada/code/commits", { token: ada.token });
  commit = commits.json[0].sha as string;
  const run = { repositoryId, userId: ada.id, number: 1, status: "success" } as const;
  const pipelineId = await insertRun(people.server, run);
  const job = await jobAtWork(people.server, { pipelineId, repositoryId, key: "lint" });
  await reportFrom(people.server, job, [
    { kind: "summary", from: 0, content: "# Fine\n\u001b[2Jgone" },
    {
      kind: "annotations",
      from: 0,
      content: "notice::Just so\nerror file=a.ts line=3 title=Odd::not\\nhere\nwhat",
    },
    { kind: "coverage", from: "lcov.info", content: "SF:a.ts\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record" },
    {
      kind: "junit",
      from: "a.xml",
      content:
        '<testsuite name="s"><testcase name="good" time="0.5"/><testcase name="bad"><failure message="no"/></testcase></testsuite>',
    },
  ]);
});
afterAll(() => people?.stop());

const pipeline = (...args: string[]) => people.told(ada, "pipeline", ...args, "-R", "ada/code");

test("are listed, without what would move the cursor of a terminal", async () => {
  expect((await pipeline("annotations", "1")).trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^error\ta\.ts:3\tlint\tOdd: not.here$/),
    "notice\t\tlint\tJust so",
  ]);
  expect((await pipeline("annotations", "1", "--level", "notice")).trimEnd().split("\n")).toHaveLength(1);
  await people.server.container.platform.db.query("update job_reports set sha = $1", [commit]);
  expect(await pipeline("annotations", "--commit", "main", "--path", "a.ts")).toContain("Odd: not");
  expect(await pipeline("annotations", "--path", "b.ts")).toBe("");
  const summary = await pipeline("summary", "1");
  expect(summary).toContain("lint:\n# Fine\n");
  expect(summary).not.toContain("\u001b[2J");
  expect(summary).toContain("lint, annotations: line 3: write it as JSON");
});

test("coverage is listed, of a run and through time", async () => {
  expect(await pipeline("coverage", "1")).toBe("66.6%\t2/3\tlint\ta.ts\n");
  const through = (...args: string[]) => people.told(ada, "coverage", "list", "-R", "ada/code", ...args);
  expect(await through("--branch", "main")).toMatch(/^#1\t66.6%\t2\/3\t[0-9a-f]{8}\t/);
  expect(await through("--branch", "other")).toBe("");
});

test("tests are listed and put into quarantine", async () => {
  expect((await pipeline("tests", "1")).trimEnd().split("\n")).toEqual([
    "failed\ts › bad\tlint\t\t\tno",
    "passed\ts › good\tlint\t500 ms",
  ]);
  const inRepository = (...args: string[]) => people.told(ada, "test", ...args, "-R", "ada/code");
  const [id = ""] = (await inRepository("list", "--search", "bad")).trimEnd().split("\t").slice(-1);
  expect(await inRepository("quarantine", id, "-m", "issue 12")).toBe("bad is in quarantine\n");
  expect(await inRepository("list", "--quarantined")).toContain("quarantined");
  expect(await inRepository("history", id)).toMatch(/^failed\t1\tlint\t/);
  expect(await inRepository("release", id)).toContain("is not in quarantine any more");
});

/** `forgeline import`: one is begun, looked at, stopped, and goes on. Nothing is read: that takes a worker. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { archiveOf } from "../../support/imports/export-archive.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let folder: string;

beforeAll(async () => {
  people = await peopleAtTerminals({ env: { FORGELINE_TASK_QUEUE: `test-import-cli-${process.pid}` } });
  ada = await people.server.person("ada");
  folder = await mkdtemp(join(tmpdir(), "forgeline-import-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await people?.stop();
});

const run = (...args: string[]) => people.told(ada, "import", ...args);

test("an import is begun, seen, stopped, and goes on", async () => {
  const file = join(folder, "token.txt");
  await writeFile(file, "ghp_secret\n");
  const options = [
    "--token-file",
    file,
    "--to",
    "ada/brought",
    "--include",
    "issues,merge-requests",
    "--user",
    "octocat=ada",
  ];
  const begun = await people.json(ada, "import", "github", "octocat/hello", ...options);
  expect(begun).toMatchObject({
    state: "queued",
    repository: "ada/brought",
    include: ["issues", "merge_requests"],
  });
  const { id } = begun;
  expect(await run("list")).toBe(`${id}\tgithub octocat/hello\tada/brought\tqueued\t\n`);
  expect(await run("view", id)).toContain("state\tqueued\n");
  expect(await run("report", id)).toBe("");
  expect(await run("cancel", id)).toContain("state\tcancelled\n");
  expect(await run("retry", id, "--token-file", file)).toContain("state\tqueued\n");
  expect((await people.as(ada, "import", "retry", id)).stderr).toContain("failed or was stopped");
});

test("an export is uploaded and imported, seen, and removed once nothing reads it", async () => {
  const file = join(folder, "export.tar.gz");
  await writeFile(file, await archiveOf({ "a.txt": "a" }));
  const begun = await people.json(ada, "import", "github", "octocat/moved", "--archive", file);
  expect(begun).toMatchObject({ state: "queued", step: "unpack", from_archive: true });
  expect(await run("view", begun.id)).toContain("from\tgithub octocat/moved (an export)\n");
  const [archive] = await people.json(ada, "import", "archives");
  expect(await run("archives")).toMatch(/^iarc_\w+\texport\.tar\.gz\t[\d.]+ \w+\t/);
  expect((await people.as(ada, "import", "delete-archive", archive.id)).stderr).toContain(
    "reads this archive",
  );
  await run("cancel", begun.id);
  expect(await run("delete-archive", archive.id)).toBe(`deleted ${archive.id}\n`);
  const taken = await people.as(ada, "import", "github", "octocat/moved", "--archive", file);
  expect(taken.code).toBe(1);
  const absent = await people.as(
    ada,
    "import",
    "github",
    "octocat/x",
    "--archive",
    join(folder, "no.tar.gz"),
  );
  expect(absent.stderr).toContain("cannot be read");
  // What could not begin leaves no archive.
  expect(await people.json(ada, "import", "archives")).toEqual([]);
});

test("people are named afterwards, and those who are asked answer", async () => {
  const mary = await people.server.person("mary");
  const begun = await people.json(ada, "import", "github", "octocat/named", "--visibility", "public");
  const { id } = begun;
  expect(await run("name", id, "octocat=mary")).toBe("asked mary, who decides within 7 days\n");
  const asked = await people.told(mary, "import", "requests");
  expect(asked).toContain("\toctocat on github.com\tada/named\tada\t");
  const request = asked.split("\t")[0] ?? "";
  expect(await people.told(mary, "import", "decline", request)).toBe(`declined ${request}\n`);
  await run("name", id, "octocat=mary");
  const [again] = await people.json(mary, "import", "requests");
  const accepted = "octocat on github.com is mary here\n";
  expect(await people.told(mary, "import", "accept", again.id)).toBe(accepted);
  expect(await run("people", id)).toBe("");
  expect((await people.as(ada, "import", "name", id, "octocat")).stderr).toContain("LOGIN=NAME");
});

test("what cannot be is refused with a sentence", async () => {
  const wrong: [string[], RegExp, number][] = [
    [["github", "octocat/hello", "--to", "hello"], /--to names the new repository/, 2],
    [["github", "octocat/hello", "--include", "wikis"], /--include has no wikis/, 2],
    [["gitlab", "a/b", "--api", "https://git.example.com/"], /The address of the API must end in/, 1],
    [["gitlab", "a/b", "--user", "octocat=nobody"], /nobody cannot be named/, 1],
  ];
  for (const [args, message, code] of wrong) {
    const answer = await people.as(ada, "import", ...args);
    expect([args, answer.stderr, answer.code]).toEqual([args, expect.stringMatching(message), code]);
  }
});

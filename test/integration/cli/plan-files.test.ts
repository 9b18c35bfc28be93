/** `forgeline pipeline plan` of several files, and of files that a push does not run. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

const fileFor = (events: string, job: string) =>
  `on: [${events}]\njobs: { ${job}: { image: busybox, steps: ["true"] } }\n`;

let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "several", "--readme");
  for (const [name, text] of Object.entries({
    build: fileFor("push, api", "compile"),
    release: fileFor("tag", "publish"),
  })) {
    const body = { message: name, content: Buffer.from(text).toString("base64"), branch: "main" };
    await people.server.api("PUT", `/repos/ada/several/contents/.forgeline/${name}.yml`, {
      token: ada.token,
      body,
    });
  }
});
afterAll(() => people?.stop());

const plan = (...args: string[]) => people.as(ada, "pipeline", "plan", "-R", "ada/several", ...args);

test("is of all files for what runs all of them, and asks which one for the rest", async () => {
  const { code, stdout } = await plan("--event", "push");
  expect([code, stdout]).toEqual([
    0,
    [
      ".forgeline/build.yml",
      "✓ main",
      "  ✓ compile",
      "",
      ".forgeline/release.yml",
      '– nothing runs: The file does not list this event under "on".',
      "",
    ].join("\n"),
  ]);
  const listed = JSON.parse((await plan("--json")).stdout) as { file: string; event: string }[];
  expect(listed).toMatchObject([
    { file: ".forgeline/build.yml", event: "push" },
    { file: ".forgeline/release.yml", event: "push" },
  ]);
  expect(await plan("--event", "api")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There are several pipelines; specify one.") as string,
  });
});

test("is asked for people that there are", async () => {
  expect(await plan("--pipeline", "build", "--actor", "ghost")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No user is named ghost.") as string,
  });
});

test("is for the first event that the file lists, where that is no push", async () => {
  const calls = join(people.cli.home, "calls.yml");
  await writeFile(calls, fileFor("manual", "main"));
  const wanted = "For the event manual: the file does not list push.\n✓ main\n  ✓ main\n";
  expect((await plan("--file", calls, "--ask-server")).stdout).toBe(wanted);
  const here = (...args: string[]) => people.cli.call(["pipeline", "plan", "--file", calls, ...args], {});
  expect((await here()).stdout).toBe(wanted);
  expect((await here("--event", "schedule")).stdout).toBe("✓ main\n  ✓ main\n");
  expect((await here("--event", "push")).stdout).toContain("nothing runs");
});

test("shows the errors of a file as lint does", async () => {
  const bad = join(people.cli.home, "bad.yml");
  await writeFile(bad, "image: a\nstep: [make]\n");
  const planned = await people.cli.call(["pipeline", "plan", "--file", bad, "--json"], {});
  const linted = await people.cli.call(["pipeline", "lint", bad, "--json"], {});
  expect(planned.code).toBe(1);
  expect(JSON.parse(planned.stdout).diagnostics).toEqual(JSON.parse(linted.stdout));
});

/** `forgeline push-mirror`: added, synced, looked at, changed, paused and deleted. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { readBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { startWorker } from "../../support/failing-work.ts";
import { startGitSource, type GitSource, type SourceRepository } from "../../support/git-source.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let source: GitSource;
let target: SourceRepository;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  source = await startGitSource();
  target = await source.create("target");
  await target.git("config", "http.receivepack", "true");
  const { caFile } = (await readBed()).certificates;
  people = await peopleAtTerminals({
    env: {
      FORGELINE_TASK_QUEUE: `test-push-mirror-cli-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: caFile,
    },
  });
  stopWorker = await startWorker(people.server);
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "pushed", "--readme");
});
afterAll(async () => {
  await stopWorker?.();
  await people?.stop();
  await source?.close();
});

const mirror = (...args: string[]) => people.told(ada, "push-mirror", "-R", "ada/pushed", ...args);

let id = "";

test("is added, synced and looked at", async () => {
  const password = join(source.root, "password.txt");
  await writeFile(password, "s3cret\n");
  const options = ["--username", "bot", "--password-file", password, "--every", "30", "--no-on-push"];
  const made = await mirror("create", target.url, ...options);
  id = /^id\t(pmir_\w+)$/m.exec(made)?.[1] ?? "";
  expect(made).toContain(`target\t${target.url}\n`);
  expect(made).toContain("syncs\tevery 30 minutes\n");
  expect(made).toContain("user name\tbot\n");
  expect(made).not.toContain("s3cret");
  await eventually(async () => /\tup_to_date\t/.test(await mirror("list")));
  expect(await mirror("sync", id, "--wait")).toBe("synced: 0 refs changed\n");
  const history = (await mirror("history", id)).trimEnd().split("\n");
  expect(history.map((line) => line.split("\t").slice(1, 3).join(" "))).toEqual([
    "succeeded manual",
    "succeeded first",
  ]);
});

test("shows what has diverged, and overwrites it when that is wanted", async () => {
  const theirs = await target.commit("main", { "theirs.txt": "theirs" });
  const failed = await people.as(ada, "push-mirror", "-R", "ada/pushed", "sync", id, "--wait");
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("Somebody else has changed")]);
  const shown = await mirror("view", id);
  expect(shown).toContain("status\tdiverged\n");
  expect(shown).toMatch(new RegExp(`^refs/heads/main\t[0-9a-f]{10}\t${theirs.slice(0, 10)}$`, "m"));
  expect(await mirror("edit", id, "--force", "--on-push")).toContain("overwrites\tyes\n");
  await eventually(async () => /^status\tup_to_date$/m.test(await mirror("view", id)));
  expect(await target.refs()).not.toContain(`${theirs} refs/heads/main`);
});

test("is changed, paused, resumed and deleted", async () => {
  const changed = await mirror(
    "edit",
    id,
    "--no-force",
    "--cron",
    "15 3 * * *",
    "--timezone",
    "Europe/Berlin",
  );
  expect(changed).toContain("syncs\tafter each push, and 15 3 * * * Europe/Berlin\n");
  expect(changed).toContain("overwrites\tno\n");
  expect(changed).toContain("user name\tbot\n");
  expect(await mirror("pause", id)).toMatch(/^status\t(?:paused|syncing)$/m);
  expect(await mirror("resume", id)).not.toContain("status\tpaused\n");
  expect(await mirror("delete", id)).toBe(`${id} is deleted\n`);
  expect(await mirror("list")).toBe("");
});

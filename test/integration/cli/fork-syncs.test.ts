/** `forgeline repo sync`: a fork is looked at, synced, scheduled, and finds a conflict. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { startWorker } from "../../support/failing-work.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let bob: TestPerson;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  people = await peopleAtTerminals({ env: { FORGELINE_TASK_QUEUE: `test-fork-cli-${process.pid}` } });
  stopWorker = await startWorker(people.server);
  ada = await people.server.person("ada");
  bob = await people.server.person("bob");
  await people.told(ada, "repo", "create", "code", "--readme", "--public");
  await people.told(bob, "repo", "fork", "ada/code");
});
afterAll(async () => {
  await stopWorker?.();
  await people?.stop();
});

async function commit(person: TestPerson, repository: string, file: string, text: string): Promise<void> {
  const body = { message: file, content: Buffer.from(text).toString("base64"), branch: "main" };
  const path = `/repos/${repository}/contents/${file}`;
  const answer = await people.server.api("PUT", path, { token: person.token, body });
  expect(answer.status).toBe(200);
}

const repo = (...args: string[]) => people.told(bob, "repo", ...args);

test("is looked at and synced", async () => {
  await commit(ada, "ada/code", "a.txt", "a");
  await commit(ada, "ada/code", "b.txt", "b");
  const before = await repo("sync-status", "bob/code");
  expect(before).toContain("upstream\tada/code\n");
  expect(before).toContain("behind\t2\n");
  expect(await repo("sync", "bob/code", "--dry-run")).toBe(
    "would be synced:\nmain: 2 behind, fast-forward\n",
  );
  expect(await repo("sync", "bob/code")).toBe("synced:\nmain: 2 behind, fast-forward\n");
  expect(await repo("sync", "bob/code", "--branch", "main")).toBe("up to date\n");
  await commit(ada, "ada/code", "c.txt", "c");
  await commit(bob, "bob/code", "d.txt", "d");
  expect(await repo("sync", "bob/code")).toBe("synced:\nmain: 1 behind, merged, 1 ahead\n");
});

test("fails where files cannot be merged, and names them", async () => {
  await commit(ada, "ada/code", "e.txt", "theirs");
  await commit(bob, "bob/code", "e.txt", "mine");
  const failed = await people.as(bob, "repo", "sync", "bob/code");
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("main (e.txt)")]);
  expect(await repo("sync-status", "bob/code")).toContain("conflict\tmain: e.txt\n");
});

test("is scheduled, and not any more", async () => {
  const times = ["--cron", "15 3 * * *", "--timezone", "Europe/Berlin"];
  expect(await repo("sync-schedule", "bob/code", "--branch", "main", ...times)).toBe(
    "synced by itself: 15 3 * * * Europe/Berlin, branch main\n",
  );
  const shown = await repo("sync-status", "bob/code");
  expect(shown).toContain("scheduled branch\tmain\n");
  expect(shown).toContain("for\tbob\n");
  for (const [args, said] of [
    [["--pause"], "15 3 * * * Europe/Berlin, branch main, paused"],
    [["--cron", "30 4 * * *"], "30 4 * * * Europe/Berlin, branch main, paused"],
    [["--resume"], "30 4 * * * Europe/Berlin, branch main"],
    [["--timezone", "Asia/Tokyo"], "30 4 * * * Asia/Tokyo, branch main"],
    [["--every", "30"], "every 30 minutes, branch main"],
    [["--all-branches"], "every 30 minutes"],
  ] as const)
    expect(await repo("sync-schedule", "bob/code", ...args)).toBe(`synced by itself: ${said}\n`);
  const both = await people.as(bob, "repo", "sync-schedule", "bob/code", "--pause", "--resume");
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--pause")]);
  expect(await repo("sync-unschedule", "bob/code")).toBe("bob/code is no longer synced automatically\n");
  expect(await repo("sync-status", "bob/code")).toContain("schedule\tnone\n");
  const gone = await people.as(bob, "repo", "sync-unschedule", "bob/code");
  expect(gone.stderr).toBe("error: bob/code is not synced by itself, or you may not see it\n");
});

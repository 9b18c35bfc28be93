/** `forgeline mirror`: what would change, set up, synced, looked at, paused and ended. */
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
let followed: SourceRepository;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  source = await startGitSource();
  followed = await source.create("followed");
  const { caFile } = (await readBed()).certificates;
  people = await peopleAtTerminals({
    env: {
      FORGELINE_TASK_QUEUE: `test-mirror-cli-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: caFile,
    },
  });
  stopWorker = await startWorker(people.server);
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "copy");
});
afterAll(async () => {
  await stopWorker?.();
  await people?.stop();
  await source?.close();
});

const mirror = (...args: string[]) => people.told(ada, "mirror", "-R", "ada/copy", ...args);

test("is previewed, set up, synced and looked at", async () => {
  const tip = await followed.commit("main", { "a.txt": "a" });
  expect(await mirror("preview", followed.url)).toBe(
    `created\trefs/heads/main\t\t${tip.slice(0, 10)}\n1 created, 0 updated, 0 deleted\n`,
  );
  const set = await mirror("set", followed.url, "--every", "30");
  expect(set).toContain(`source\t${followed.url}\n`);
  expect(set).toContain("syncs\tevery 30 minutes\n");
  await followed.commit("main", { "a.txt": "b" });
  expect(await mirror("sync", "--wait")).toMatch(/^synced: (?:0 refs|1 ref) changed\n/);
  const history = (await mirror("history")).trimEnd().split("\n");
  expect(
    history
      .map((line) => line.split("\t").slice(1, 3).join(" "))
      .toReversed()
      .slice(0, 1),
  ).toEqual(["succeeded first"]);
  await eventually(async () => /^status\tup_to_date$/m.test(await mirror("view")));
});

test("what a forced update has replaced is in the history", async () => {
  const [before] = (await followed.git("rev-parse", "main")).trim().split("\n");
  await followed.git("update-ref", "refs/heads/main", (await followed.git("rev-parse", "main~1")).trim());
  const after = await followed.commit("main", { "a.txt": "c" });
  await mirror("sync", "--wait");
  await eventually(async () =>
    (await mirror("history")).includes(`\tmain: ${before?.slice(0, 10)} → ${after.slice(0, 10)} (forced)\n`),
  );
});

test("what is missing or contradicts is said in the words of the command line", async () => {
  await people.told(ada, "repo", "create", "plain", "--readme");
  const at = (...args: string[]) => people.as(ada, "mirror", "-R", "ada/plain", ...args);
  expect((await at("view")).stderr).toBe("error: ada/plain is not a mirror, or you may not see it\n");
  expect((await at("set", followed.url)).stderr).toMatch(
    /^error: The repository has 1 branch or tag, .* confirm it with --replace\.\n$/,
  );
  const both = await at("set", followed.url, "--every", "30", "--cron", "0 3 * * *");
  expect(both.stderr).toContain("Give either --every or --cron.");
  const hour = await at("set", followed.url, "--replace", "--cron", "0 25 * * *");
  expect(hour.stderr).toBe("error: The hour must be 0 to 23, not 25.\n");
});

test("fails with status 1 and says why", async () => {
  source.answer = (_request, response) => void response.writeHead(404).end();
  const failed = await people.as(ada, "mirror", "-R", "ada/copy", "sync", "--wait");
  source.answer = (_request, _response, usual) => usual();
  expect([failed.code, failed.stdout]).toEqual([
    1,
    "failed: There is no repository at this address, or the credentials may not read it.\n",
  ]);
});

test("is changed with a password from a file, paused, resumed and ended", async () => {
  const file = join(people.server.dataDir, "password");
  await writeFile(file, "s3cret\n");
  const changed = await mirror(
    "set",
    followed.url,
    "--username",
    "bot",
    "--password-file",
    file,
    "--cron",
    "15 3 * * *",
    "--timezone",
    "Europe/Berlin",
  );
  expect(changed).toContain("syncs\t15 3 * * * Europe/Berlin\n");
  expect(changed).toContain("user name\tbot\n");
  expect(await mirror("pause")).toMatch(/^status\t(?:paused|syncing)$/m);
  const resumed = await mirror("resume");
  expect(resumed).toContain("user name\tbot\n");
  expect(resumed).toContain("syncs\t15 3 * * * Europe/Berlin\n");
  const wrong = await people.as(ada, "mirror", "-R", "ada/copy", "set", followed.url, "--username", "other");
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("--username needs --password-file"),
  ]);
  expect(await mirror("remove")).toBe("ada/copy is an ordinary repository\n");
  expect((await people.as(ada, "mirror", "-R", "ada/copy", "view")).code).toBe(1);
});

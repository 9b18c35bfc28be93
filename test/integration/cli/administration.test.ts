/** `forgeline admin`: accounts, plans, limits, announcements and the outbox, at an administrator's terminal. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { scheduleIdOf, upkeepTaskNames } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import type { TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let root: TestPerson;
let ada: TestPerson;

beforeAll(async () => {
  people = await peopleAtTerminals({
    env: { FORGELINE_LIMIT_CORE: "5000", FORGELINE_TASK_QUEUE: `test-admin-${process.pid}` },
  });
  root = await people.server.person("root", { isAdmin: true });
  ada = await people.server.person("ada");
  await people.told(ada, "org", "create", "acme");
});
afterAll(() => people.stop());

it("shows accounts, suspends, makes administrators and users again", async () => {
  expect(await people.told(root, "admin", "users", "ada")).toBe("ada\t\tuser\tenterprise\t\n");
  expect(await people.told(root, "admin", "suspend", "ada")).toBe("ada is suspended\n");
  expect((await people.as(ada, "org", "list")).code).toBe(1);
  expect(await people.told(root, "admin", "user", "ada")).toContain("standing\tsuspended\n");
  expect(await people.told(root, "admin", "unsuspend", "ada")).toBe("ada is not suspended\n");
  expect(await people.told(root, "admin", "promote", "ada")).toBe("ada is an administrator\n");
  expect((await people.as(ada, "admin", "users")).code).toBe(0);
  expect(await people.told(root, "admin", "demote", "ada")).toBe("ada is not an administrator\n");
  const refused = await people.as(ada, "admin", "users");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
});

it("sets the plan of a user and of an organization by the name alone", async () => {
  expect(await people.told(root, "admin", "plan", "ada", "pro")).toBe("ada has the plan pro\n");
  expect(await people.told(root, "admin", "plan", "acme", "enterprise")).toBe(
    "acme has the plan enterprise\n",
  );
  expect(await people.told(root, "admin", "orgs", "acm")).toMatch(/^acme\tenterprise\t\t\S+Z\n$/);
  expect((await people.json(root, "admin", "user", "ada")).plan).toBe("pro");
  const nobody = await people.as(root, "admin", "plan", "nobody", "pro");
  expect([nobody.code, nobody.stderr]).toEqual([1, "error: there is no user and no organization nobody\n"]);
  const unknown = await people.as(root, "admin", "plan", "ada", "gold");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("enterprise")]);
});

it("sets rate limits of an account, and takes them back", async () => {
  const set = await people.told(root, "admin", "limits", "ada", "--set", "core=20000", "git=50");
  expect(set).toMatch(/^core\t20000\t3600\tcustom$/m);
  expect(await people.told(root, "admin", "limits", "ada")).toBe(set);
  expect(await people.told(root, "admin", "limits", "ada", "--clear")).not.toContain("custom");
  const unknown = await people.as(root, "admin", "limits", "ada", "--set", "tea=5");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("tea")]);
});

it("shows background work, ends it and tries it again", async () => {
  const { platform, config } = people.server.container;
  const { temporal } = platform;
  const id = statisticsWorkflowId("repo_of_nobody");
  const { taskQueue } = config.temporal;
  await temporal.client.workflow.start(statisticsWorkflowName, { taskQueue, workflowId: id, args: [{}] });
  const shown = await people.told(root, "admin", "work", "show", id);
  expect(shown).toMatch(/^state\trunning\n/m);
  expect(shown).toMatch(/^waits for\tdecision: waiting for worker$/m);
  expect(await people.told(root, "admin", "work", "workers")).toMatch(/^worker\tnone$/m);
  expect(await people.told(root, "admin", "work", "cancel", id, "--force")).toBe(`ended: ${id}\n`);
  await eventually(async () =>
    (await people.told(root, "admin", "work", "--state", "unsuccessful")).startsWith(
      `${id}\trepository_statistics\tterminated\t`,
    ),
  );
  expect(await people.told(root, "admin", "work", "show", id)).toMatch(
    /^failure\tterminated: ended by root$/m,
  );
  expect(await people.told(root, "admin", "work", "retry", id)).toBe(`tried again: ${id}\n`);
  await people.told(root, "admin", "work", "cancel", id, "--force");
  const empty = await people.as(root, "admin", "work", "show", "");
  expect([empty.code, empty.stderr]).toEqual([2, "error: <id> must not be empty\n"]);
  const unknown = await people.as(root, "admin", "work", "show", "no-such-work");
  expect([unknown.code, unknown.stderr]).toEqual([1, "error: no background work has the id no-such-work\n"]);
});

it("sets the Git LFS storage of an owner, and takes it back", async () => {
  await people.told(root, "admin", "plan", "acme", "enterprise");
  const set = await people.told(root, "admin", "lfs-quota", "acme", "--set", "2GiB");
  expect(set).toMatch(/^limit\t2\.0 GiB, custom$/m);
  expect(await people.told(root, "admin", "lfs-quota", "acme")).toBe(set);
  expect(await people.told(root, "admin", "lfs-quota", "acme", "--clear")).toMatch(
    /^limit\tnone, of the plan$/m,
  );
  const odd = await people.as(root, "admin", "lfs-quota", "acme", "--set", "much");
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("500GB")]);
  const nobody = await people.as(root, "admin", "lfs-quota", "nobody");
  expect([nobody.code, nobody.stderr]).toEqual([1, "error: there is no user and no organization nobody\n"]);
});

it("shows what is kept, by kind, by owner and by repository", async () => {
  await people.told(ada, "repo", "create", "kept", "--readme");
  await people.server.container.platform.db.query("update repository_measurements set due_at = now()");
  await people.server.container.hosting.storageMeter.measureDue();
  const use = await people.told(root, "admin", "storage");
  expect(use).toMatch(/^repositories\t1: Git \d+\.\d KiB, Git LFS 0 B, logs 0 B, attachments 0 B$/m);
  expect(use).toMatch(/^not measured yet\t0$/m);
  expect(await people.told(root, "admin", "storage", "owners")).toMatch(/^ada\tuser\t1\t\d+\.\d KiB\t0 B\t/);
  const listed = await people.told(root, "admin", "storage", "repositories", "--owner", "ada");
  expect(listed).toMatch(/^ada\/kept\t\t\d+\.\d KiB\t0 B\t0 B\t0 B\t\d+\.\d KiB\t\S+Z\n$/);
  expect((await people.as(ada, "admin", "storage")).code).toBe(1);

  expect(await people.told(ada, "storage")).toMatch(/^Git LFS\t0 B, (no limit|of \d+\.\d GiB)$/m);
  expect(await people.told(ada, "storage", "repositories")).toBe(listed);
  expect(await people.told(ada, "repo", "storage", "ada/kept")).toMatch(
    /^Git\t\d+\.\d KiB, of 10\.0 GiB\nGit LFS\t0 B\n/,
  );
});

it("announces, for a time, and takes it back", async () => {
  const times = ["--from", "2026-12-01T08:00:00+01:00", "--until", "2026-12-01T12:00:00Z"];
  const text = "Down for repairs";
  const created = await people.told(
    root,
    "admin",
    "announcement",
    "create",
    text,
    "--level",
    "warning",
    ...times,
  );
  const id = /^created (ann_\w+)\n$/.exec(created)?.[1] ?? "";
  expect(await people.told(root, "admin", "announcement", "list")).toBe(
    `${id}\twarning\t2026-12-01T07:00:00.000Z\t2026-12-01T12:00:00.000Z\t${text}\n`,
  );
  expect(await people.told(root, "admin", "announcement", "delete", id)).toBe(`deleted ${id}\n`);
  expect(await people.json(root, "admin", "announcement", "list")).toEqual([]);
});

it("says and sets who may sign up, and reads mails for those who can get none", async () => {
  expect(await people.told(root, "admin", "sign-up")).toBe("sign-up is open on localhost only\n");
  expect(await people.told(root, "admin", "sign-up", "open")).toBe("sign-up is open\n");
  const body = { username: "grace", password: "a very long password", email: "grace@example.com" };
  expect((await people.server.api("POST", "/users", { body })).status).toBe(201);
  expect(await people.told(root, "admin", "sign-up", "default")).toBe("sign-up is open on localhost only\n");
  // Mails are written after the account is made, by whoever sends them.
  const mails = await eventually(async () => (await people.told(root, "admin", "mails")) || undefined);
  expect(mails).toMatch(/^mail_\w+\tkept\tgrace@example\.com\t[^\t]+\t\S+Z\n$/);
  const mail = await people.told(root, "admin", "mail", mails.split("\t")[0] ?? "");
  expect(mail).toMatch(/^To: grace@example\.com\nSubject: [^\n]+\n\n[\s\S]*svc_once_/);
});

it("reads and proves the instance's audit log, and asks which log is meant", async () => {
  const listed = await people.told(root, "audit", "list", "--instance", "--action", "admin.user_change");
  expect(listed).toMatch(/^\S+Z\troot\tadmin\.user_change\tuser ada\t127\.0\.0\.1$/m);
  expect(await people.told(root, "audit", "verify", "--instance")).toMatch(/^valid: \d+ entries, head /);
  for (const which of [[], ["acme", "--instance"]]) {
    const unclear = await people.as(root, "audit", "list", ...which);
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining("which log?")]);
  }
});

it("shows the storage of one repository and of all", async () => {
  await people.told(ada, "repo", "create", "stored", "--readme");
  expect(await people.told(ada, "repo", "maintenance", "ada/stored")).toBe(
    "ada/stored is idle\nmaintained    never\nchecked       never\nobjects       0 packs, 0 loose\n",
  );
  expect(await people.told(ada, "repo", "maintenance", "ada/stored", "--prune")).toMatch(
    /^ada\/stored is waiting\n/,
  );
  expect(await people.told(root, "admin", "maintenance", "--state", "waiting")).toBe(
    "ada/stored\twaiting\tnever\tnever\t0\t0\n",
  );
});

it("shows the encryption keys, and replaces the current one", async () => {
  expect(await people.told(root, "admin", "keys")).toMatch(
    /^[0-9a-f]{16}\tcurrent\t\S+Z\tfile\t(?:nothing|1 mail|\d+ mails)\n$/,
  );
  const begun = await people.told(root, "admin", "rotate-key", "--no-wait");
  expect(begun).toMatch(/^rotation\s+rot_\w+\nstate\s+running\n/);
  const again = await people.as(root, "admin", "rotate-key");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("being replaced already")]);
  expect((await people.as(ada, "admin", "rotate-key")).code).toBe(1);

  const { db } = people.server.container.platform;
  const finish =
    "update key_rotations set finished_at = now(), unreadable = $1 where finished_at is null returning id";
  await db.query(finish, [0]);
  const waiting = people.as(root, "admin", "rotate-key");
  await eventually(async () => (await db.query(finish, [2])).length === 1);
  const over = await waiting;
  expect([over.code, over.stdout]).toEqual([
    1,
    expect.stringMatching(/state\s+done\n[^]*unreadable\s+2, see the log/),
  ]);
});

it("shows the keys of identity tokens, and replaces the current one", async () => {
  const begun = await people.told(root, "admin", "rotate-id-token-key");
  expect(begun).toMatch(/^idk_\w+\tcurrent\t\S+Z\t\S+Z\t\n$/);
  const withdrawn = await people.told(root, "admin", "rotate-id-token-key", "--withdraw-earlier");
  expect(withdrawn).toMatch(/^idk_\w+\tcurrent\t\S+Z\t\S+Z\t\nidk_\w+\twithdrawn\t\S+Z\t\S+Z\t\S+Z\n$/);
  expect(await people.told(root, "admin", "id-token-keys")).toBe(withdrawn);
  expect((await people.as(ada, "admin", "rotate-id-token-key")).code).toBe(1);
});

it("lists schedules, pauses one, runs it and resumes it", async () => {
  const { upkeep, platform } = people.server.container;
  const name = "find_lost_directories";
  await upkeep.upkeepSchedules.keep();
  try {
    const every = "remove_old_events\t1 h\t\t\t\\S+Z$";
    expect(await people.told(root, "admin", "schedule")).toMatch(new RegExp(every, "m"));
    expect(await people.told(root, "admin", "schedule", "pause", name)).toBe(`${name} is paused\n`);
    expect(await people.told(root, "admin", "schedule", "run", name)).toBe(`${name} runs now\n`);
    await eventually(async () =>
      /^find_lost_directories\t6 h\t\S+Z\trunning\tpaused$/m.test(
        await people.told(root, "admin", "schedule"),
      ),
    );
    expect(await people.told(root, "admin", "schedule", "resume", name)).toBe(`${name} is not paused\n`);
    expect((await people.as(ada, "admin", "schedule")).code).toBe(1);
    const unknown = await people.as(root, "admin", "schedule", "run", "everything");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("remove_unused_keys")]);
  } finally {
    const { taskQueue } = people.server.config.temporal;
    for (const task of upkeepTaskNames)
      await platform.temporal.client.schedule.getHandle(scheduleIdOf(task, taskQueue)).delete();
  }
});

it("sets limits of pipelines, of the instance and of an organization, which its developers see", async () => {
  const limits = (...args: string[]) => people.told(root, "admin", "pipeline-limits", ...args);
  expect(await limits()).toMatch(/^jobs\t500\tdefault\t500\t1 to 1000$/m);
  await limits("--set", "jobs=200", "steps=50");
  expect(await limits("--unset", "steps")).toMatch(/^steps\t100\tdefault/m);
  const ofAcme = await limits("--org", "acme", "--set", "services=3");
  expect(ofAcme).toMatch(/^services\t3\torganization/m);
  expect(ofAcme).toMatch(/^jobs\t200\tinstance/m);
  await people.told(ada, "repo", "create", "limited", "--owner", "acme");
  expect(await people.told(ada, "pipeline", "limits", "-R", "acme/limited")).toBe(ofAcme);
  const unknown = await people.as(root, "admin", "pipeline-limits", "--set", "tea=5");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no limit "tea"')]);
  const high = await people.as(root, "admin", "pipeline-limits", "--set", "jobs=5000");
  expect([high.code, high.stderr]).toEqual([1, expect.stringContaining("jobs")]);
  await limits("--unset", "jobs");
});

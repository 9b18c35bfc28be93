/**
 * A backup of a running instance under load, restored into an empty home beside it: the same data, and it goes on, under a public name
 * that nobody here can resolve. Two instances on one machine: both work, and each ends alone.
 */
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listName, readEntries } from "@forgeline/launcher/backup/entry.ts";
import { localJson, localRequest } from "@forgeline/launcher/https-client.ts";
import type { ConnectionFile } from "@forgeline/launcher/connection-file.ts";
import type { PipelineEventRecord } from "@forgeline/schemas/pipelines/resource.ts";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import { eventually } from "../../support/eventually.ts";
import { launchHome, spawnGroup, type LaunchHome } from "../../support/launched.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git/git-client.ts";

/** Never a name of any machine (RFC 2606). */
const publicUrl = "https://forge.invalid:9443";
let original: LaunchHome;
let restored: LaunchHome;
let git: GitClient;
let place: string;
let backup: string;

beforeAll(async () => {
  original = await launchHome();
  // Jobs that ran at the time of the backup are given up soon.
  const soon = { HEARTBEAT: "500", UNREACHABLE: "2000", RECLAIM: "4000" };
  restored = await launchHome({
    FORGELINE_PUBLIC_URL: publicUrl,
    ...Object.fromEntries(Object.entries(soon).map(([name, ms]) => [`FORGELINE_${name}_MS`, ms])),
  });
  place = await mkdtemp(join(tmpdir(), "forgeline-backup-"));
  backup = join(place, "first");
});
afterAll(async () => {
  await git?.remove();
  await Promise.all([original.remove(), restored.remove()]);
  await rm(place, { recursive: true, force: true });
});

const program = (home: LaunchHome, name: "backup" | "restore", ...args: string[]) =>
  spawnGroup(process.execPath, ["scripts/bootstrap.mjs", `launcher/${name}.ts`, ...args], home.env);
const restore = (from: string, ...args: string[]) => program(restored, "restore", ...args, from).finished;

function get<T>({ base_url, ca_file, admin }: ConnectionFile, path: string): Promise<T> {
  return localJson<T>(`${base_url}${path}`, { caFile: ca_file, token: admin.token });
}
function post<T>({ base_url, ca_file, admin }: ConnectionFile, path: string, body: unknown): Promise<T> {
  return localJson<T>(`${base_url}${path}`, { caFile: ca_file, token: admin.token, method: "POST", body });
}

const addressOf = ({ web_url, admin }: ConnectionFile, name: string) =>
  addressWithToken(web_url.replace(/\/$/, ""), `admin/${name}`, admin.token);
const keyFile = () => join(original.directory, "data", "instance.key");

const statusOf = async (at: ConnectionFile, name: string) =>
  (await get<{ status: string }[]>(at, `/repos/admin/${name}/pipelines`))[0]?.status ?? "none";

/** Files of the store that come and go: what is being written, and the probe of its health. */
const passing = /\/(\.tmp-[^/]*|health\/check)$/;

/** SHA-256 of each file of a home below a directory, by its path there. */
async function sumsBelow(home: LaunchHome, directory: string): Promise<Record<string, string>> {
  const root = join(home.directory, directory);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lasting = files.filter((file) => !passing.test(file));
  const sums = lasting.map(async (file) => {
    const sum = createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
    return [file.slice(root.length + 1), sum] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
}

/** The parts of a backup in the order in which they were written. */
async function orderOf(place: string): Promise<string[]> {
  const order: string[] = [];
  for await (const { path } of readEntries(join(place, listName))) {
    const [, point] = /^objects\/..\/(audit\/checkpoints)\//.exec(path) ?? [];
    const part = point ?? path.split("/")[0] ?? "";
    if (order.at(-1) !== part) order.push(part);
  }
  return order;
}

/** Objects that were there when the backup began, but for those that the server writes anew each minute. */
let objects: Record<string, string> = {};
const renewed = /^..\/audit\/checkpoints\/instance\.json$/;

/** Commits that were pushed and acknowledged, in order. */
const acknowledged: string[] = [];
let acknowledgedBefore = 0;
const waiting = `version: 1
on: [push]
defaults: { image: forgeline/base:1 }
stages: [wait]
jobs:
  wait: { stage: wait, steps: [{ run: sleep 600 }] }
`;

it("backs up while people push and jobs run", { timeout: 150_000 }, async () => {
  expect((await original.start("--detach").finished).code).toBe(0);
  const connection = await original.connection();
  await eventually(
    async () =>
      (await get<{ status: string }[]>(connection, "/repos/admin/hello/pipelines"))[0]?.status === "success",
    { timeoutMs: 50_000 },
  );
  git = await createGitClient(connection.ca_file);
  for (const name of ["busy", "slow"]) await post(connection, "/repos", { name, visibility: "private" });
  const slow = await git.workTree({ ".forgeline.yml": waiting });
  await git.ok(["push", "-q", addressOf(connection, "slow"), "main"], { cwd: slow });
  const tree = await git.workTree();
  const load = new AbortController();
  const pushing = (async () => {
    for (let i = 0; !load.signal.aborted; i++) {
      const sha = await git.commit(tree, { [`f${i}`]: String(i) });
      await git.ok(["push", "-q", addressOf(connection, "busy"), "main", `HEAD:refs/heads/b${i % 3}`], {
        cwd: tree,
      });
      acknowledged.push(sha);
      await sleep(300);
    }
  })();
  await eventually(
    async () => acknowledged.length > 2 && (await statusOf(connection, "slow")) === "running",
    {
      timeoutMs: 30_000,
    },
  );
  acknowledgedBefore = acknowledged.length;
  const store = createFileStore(join(original.directory, "objects"));
  for (const key of ["audit/checkpoints/planted.json", "planted/object"])
    await store.put(key, Buffer.from(key));
  const sums = Object.entries(await sumsBelow(original, "objects"));
  objects = Object.fromEntries(sums.filter(([path]) => !renewed.test(path)));
  // The backup has values of a key that is not in the key file.
  const { id } = await post<{ id: string }>(connection, "/admin/key-rotations", {});
  await eventually(
    async () => (await get<{ state: string }>(connection, `/admin/key-rotations/${id}`)).state === "done",
    { timeoutMs: 60_000 },
  );
  const running = program(original, "backup", backup);
  const { code, output } = await running.finished;
  load.abort();
  await pushing;
  expect(output).toMatch(/^backup +done: /m);
  expect(code).toBe(0);
  expect(await readdir(backup)).not.toContain("instance.key");
  expect(await orderOf(backup)).toEqual([
    "home.sealed",
    "audit/checkpoints",
    "postgresql",
    "keyring.json",
    "repositories",
    "objects",
  ]);
  expect(await readdir(place)).toEqual(["first"]);
});

it("shares what does not change with an older backup, and leaves nothing when it is ended", async () => {
  const second = program(original, "backup", "--previous", backup, join(place, "second"));
  expect((await second.finished).output).toMatch(/[1-9]\d* of them shared with/);
  await rm(join(place, "second"), { recursive: true });
  const cut = program(original, "backup", "--rate", "1", join(place, "cut"));
  await eventually(async () => (await readdir(place)).includes("cut.partial"));
  expect((await program(original, "backup", join(place, "other")).finished).output).toContain(
    "another backup of this instance is in progress",
  );
  cut.signal("SIGTERM");
  expect((await cut.finished).code).toBe(1);
  expect(await readdir(place)).toEqual(["first"]);
});

it("refuses what cannot be restored, and leaves the home empty", async () => {
  const refusal = async (from: string, ...args: string[]) => {
    const { code, output } = await restore(from, ...args);
    expect(code).toBe(1);
    expect(await readdir(restored.directory)).toEqual([]);
    return output;
  };
  expect(await refusal(backup)).toContain("--key FILE");
  const otherKey = join(place, "other.key");
  await writeFile(otherKey, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  expect(await refusal(backup, "--key", otherKey)).toContain("not the key file of the instance");
  const damaged = join(place, "damaged");
  await cp(backup, damaged, { recursive: true });
  const page = join(damaged, "postgresql", "global", "pg_control");
  const bytes = await readFile(page);
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
  await writeFile(page, bytes);
  // The key itself, in the environment, is as good as its file.
  const FORGELINE_KEY = (await readFile(keyFile(), "utf8")).trim();
  const withKey = { ...restored, env: { ...restored.env, FORGELINE_KEY } };
  expect((await program(withKey, "restore", damaged).finished).output).toContain(
    "pg_control is not what was written",
  );
  await writeFile(join(restored.directory, "mine"), "");
  expect((await restore(backup, "--key", keyFile())).output).toContain("is not empty");
  await rm(join(restored.directory, "mine"));
  // What a restore that was killed leaves is no content, and does not start.
  await mkdir(join(restored.directory, "data"));
  await writeFile(join(restored.directory, "restore-unfinished"), "");
  expect((await restored.start("--detach", "--no-demo").finished).output).toContain("did not finish");
});

it("brings everything back, beside the instance that goes on", { timeout: 150_000 }, async () => {
  const { code, output } = await restore(backup, "--key", keyFile());
  expect(output).toMatch(/^restore +done: /m);
  expect(code).toBe(0);
  expect(await sumsBelow(restored, "objects")).toMatchObject(objects);
  for (const sealed of ["tls", "data/ssh"]) {
    const sums = await sumsBelow(original, sealed);
    expect(Object.keys(sums)).not.toEqual([]);
    expect(await sumsBelow(restored, sealed)).toEqual(sums);
  }
  for (const name of ["secrets.json", "data/instance.key", "data/keyring.json"]) {
    const [before, after] = [original, restored].map((home) => readFile(join(home.directory, name)));
    expect(await after).toEqual(await before);
  }
  const started = await restored.start("--detach", "--no-demo").finished;
  expect(started.output).toMatch(/^restore +(all agree|\d+ difference\(s\))/m);
  expect(started.code, started.output).toBe(0);
  const [before, after] = [await original.connection(), await restored.connection()];
  expect(after.base_url).not.toBe(before.base_url);
  expect(after.base_url).toMatch(/^https:\/\/localhost:\d+\/api\/v1$/);
  expect(after.admin).toEqual(before.admin);
  expect(await readFile(after.ca_file, "utf8")).toBe(await readFile(before.ca_file, "utf8"));

  const user = { username: before.admin.username, password: before.admin.password };
  const session = await localRequest(`${after.base_url}/user/sessions`, {
    caFile: after.ca_file,
    method: "POST",
    body: user,
  });
  expect(session.status).toBe(201);
  const refs = async (name: string, at: ConnectionFile) => git.ok(["ls-remote", addressOf(at, name)]);
  expect(await refs("hello", after)).toBe(await refs("hello", before));
  await git.ok(["clone", "-q", addressOf(after, "busy"), "restored"]);
  const cloned = (
    await git.ok(["log", "--format=%H", "origin/main"], { cwd: join(git.home, "restored") })
  ).split("\n");
  for (const sha of acknowledged.slice(0, acknowledgedBefore)) expect(cloned).toContain(sha);
  await git.ok(["fsck", "--full"], { cwd: join(git.home, "restored") });

  const log = async (at: ConnectionFile) =>
    (
      await localRequest(`${at.base_url}/repos/admin/hello/pipelines/1/logs?format=text`, {
        caFile: at.ca_file,
        token: at.admin.token,
      })
    ).text;
  expect(await log(after)).toContain("building part-5");
  expect(await log(after)).toBe(await log(before));
  expect(await get(after, "/admin/audit-log/verify")).toMatchObject({ valid: true, problem: null });
});

/** What became of each attempt at a job, such as `1 runner_lost`. */
async function attemptsOf(at: ConnectionFile, name: string): Promise<string[]> {
  const events = await get<PipelineEventRecord[]>(at, `/repos/admin/${name}/pipelines/1/events`);
  const ofAttempts = events.filter(({ node }) => node === "attempt");
  return ofAttempts.map(({ attempt, new_status, reason }) => `${attempt} ${reason ?? new_status}`);
}

it(
  "goes on: pushes start runs, and jobs that ran are given up and tried again",
  { timeout: 150_000 },
  async () => {
    const after = await restored.connection();
    const tree = await git.workTree({ ".forgeline.yml": waiting.replace("sleep 600", "echo again") });
    await post(after, "/repos", { name: "next", visibility: "private" });
    await git.ok(["push", "-q", addressOf(after, "next"), "main"], { cwd: tree });
    await eventually(async () => (await statusOf(after, "next")) === "success", { timeoutMs: 60_000 });
    // Shown to people, while programs and the runner come by localhost.
    expect(await get(after, "/repos/admin/next/pipelines")).toMatchObject([
      { web_url: `${publicUrl}/admin/next/pipelines/1` },
    ]);
    await eventually(
      async () => {
        const attempts = await attemptsOf(after, "slow");
        return attempts.indexOf("2 running") > attempts.indexOf("1 runner_lost");
      },
      { timeoutMs: 60_000 },
    );
    expect(await attemptsOf(after, "slow")).toContain("1 runner_lost");
  },
);

it("one that is stopped leaves the other as it was", async () => {
  expect((await restored.stop()).code).toBe(0);
  expect(await restored.processes()).toEqual([]);
  expect(await get(await original.connection(), "/runners")).toMatchObject([{ status: "online" }]);
});

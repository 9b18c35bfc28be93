/** Maintenance of repositories: asked for over REST, done by a worker with the real Git, seen by Git clients. */
import { existsSync } from "node:fs";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objectLocksFile, refLocksFile } from "@forgeline/server/platform/git/storage/kept-locks.ts";
import { tryWithFileLock } from "@forgeline/server/platform/file-locks.ts";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import "../../../support/quiet-temporal.ts";
import { createWorkflowWorker, type WorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { bundleCache } from "../../../support/bundle-cache.ts";
import { eventually } from "../../../support/eventually.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let worker: WorkflowWorker;
let running: Promise<void>;
let ada: TestPerson;
let root: TestPerson;
let made = 0;

beforeAll(async () => {
  const taskQueue = `test-maintenance-${process.pid}`;
  const env = { FORGELINE_TASK_QUEUE: taskQueue, FORGELINE_MAINTENANCE_MINUTES: "10080" };
  server = await startApiServer({ env });
  [git, ada, root] = await Promise.all([
    createGitClient(server.caFile),
    server.person("ada"),
    server.person("root", { isAdmin: true }),
  ]);
  const { runs } = server.container.pipelines;
  const { maintenance, maintenanceSchedule, upkeepSchedules } = server.container.upkeep;
  const { statistics } = server.container.hosting;
  const bundle = await workflowBundle(bundleCache);
  worker = await createWorkflowWorker({
    address: server.config.temporal.address,
    taskQueue,
    bundle,
    services: { runs, maintenance, statistics, upkeepSchedules },
  });
  running = worker.run();
  await maintenanceSchedule.keep();
});
afterAll(async () => {
  const { taskQueue } = server.config.temporal;
  await server.container.platform.temporal.client.schedule.getHandle(`maintenance:${taskQueue}`).delete();
  worker?.shutdown();
  await running;
  await git?.remove();
  await server?.stop();
});

async function repository() {
  const name = `m${made++}`;
  const answer = await server.api("POST", "/repos", { token: ada.token, body: { name } });
  const tree = await git.workTree();
  const url = addressWithToken(server.webUrl, `ada/${name}`, ada.token);
  await git.ok(["push", "-q", url, "main"], { cwd: tree });
  const path = `/repos/ada/${name}/maintenance`;
  const read = async () => (await server.api("GET", path, { token: ada.token })).json;
  return {
    name,
    tree,
    url,
    path,
    read,
    directory: server.container.platform.storage.directory(answer.json.id),
    /** Asks and waits for the end. */
    async maintain(body: { prune?: boolean } = {}) {
      const before = await read();
      const asked = await server.api("POST", path, { token: ada.token, body });
      expect(asked.status).toBe(202);
      return eventually(
        async () => {
          const now = await read();
          return now.requested_at === null && now.maintained_at !== before.maintained_at ? now : false;
        },
        { timeoutMs: 60_000 },
      );
    },
  };
}

async function looseObjects(directory: string): Promise<string[]> {
  const folders = (await readdir(join(directory, "objects"))).filter((name) => name.length === 2);
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(directory, "objects", folder))).map((name) =>
        join(directory, "objects", folder, name),
      ),
    ),
  );
  return files.flat();
}

async function makeOld(paths: readonly string[]): Promise<void> {
  const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000);
  for (const path of paths) await utimes(path, longAgo, longAgo);
}

describe("maintenance on request", () => {
  it("puts all objects into one pack with a bitmap, and clones are the same", async () => {
    const { tree, url, directory, maintain } = await repository();
    for (let i = 0; i < 5; i++) {
      await git.commit(tree, { [`file${String(i)}`]: String(i) });
      await git.ok(["push", "-q", url, "main"], { cwd: tree });
    }
    const before = (await looseObjects(directory)).length;
    expect(before).toBeGreaterThan(10);
    expect(await maintain()).toMatchObject({
      state: "idle",
      packs: 1,
      loose_objects: 0,
      damage: [],
      problem: null,
    });
    expect(await looseObjects(directory)).toEqual([]);
    const packs = await readdir(join(directory, "objects/pack"));
    expect(packs.some((name) => name.endsWith(".bitmap"))).toBe(true);
    await git.ok(["clone", "-q", url, "again"]);
    expect(await git.ok(["rev-parse", "HEAD"], { cwd: join(git.home, "again") })).toBe(
      await git.ok(["rev-parse", "HEAD"], { cwd: tree }),
    );
  });

  it("packs many refs, and each still says the same", async () => {
    const { tree, url, directory, maintain } = await repository();
    const branches = Array.from({ length: 120 }, (_, i) => `HEAD:refs/heads/b/${String(i)}`);
    await git.ok(["push", "-q", "--atomic", url, ...branches], { cwd: tree });
    const before = await git.ok(["ls-remote", url]);
    await maintain();
    expect((await stat(join(directory, "packed-refs"))).size).toBeGreaterThan(120 * 40);
    expect(await readdir(join(directory, "refs/heads/b")).catch(() => [])).toEqual([]);
    expect(await git.ok(["ls-remote", url])).toBe(before);
    await git.ok(["push", "-q", url, "HEAD:refs/heads/b/7", "HEAD:refs/heads/new"], { cwd: tree });
  });

  it("is in the audit log, and is for those who administer the repository", async () => {
    const { path, read, maintain } = await repository();
    // Until then any round takes it up.
    await maintain();
    expect(await read()).toMatchObject({ state: "idle", requested_at: null });
    const bob = await server.person(`bob${made}`);
    expect((await server.api("POST", path, { token: bob.token, body: {} })).status).toBe(404);
    expect((await server.api("GET", path)).status).toBe(404);
    await server.api("POST", path, { token: ada.token, body: { prune: true } });
    const entries = await server.api("GET", "/admin/audit-log?action=repo.maintenance_request", {
      token: root.token,
    });
    expect(entries.json[0]).toMatchObject({ details: { prune: true }, actor: { username: "ada" } });
  });
});

describe("content that must go", () => {
  it("is gone for every client after a request to prune, and what is reachable stays", async () => {
    const { tree, url, directory, maintain } = await repository();
    // Until then any round takes it up, and might pack the secret while it is young.
    await maintain();
    const secret = await git.commit(tree, { secret: "hunter2" });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    await git.ok(["reset", "-q", "--hard", "HEAD~1"], { cwd: tree });
    await git.ok(["push", "-q", "--force", url, "main"], { cwd: tree });
    await makeOld(await looseObjects(directory));
    expect(await maintain({ prune: true })).toMatchObject({ problem: null });
    const look = await server.container.platform.git.run({
      directory,
      args: ["cat-file", "-e", secret],
      acceptExitCodes: [0, 1, 128],
    });
    expect(look.exitCode).not.toBe(0);
    await git.ok(["clone", "-q", url, `pruned${String(made)}`]);
  });

  it("keeps what was written in the last minutes, which a push may be about to name", async () => {
    const { tree, url, directory, maintain } = await repository();
    const young = await git.commit(tree, { young: "1" });
    await git.ok(["push", "-q", url, "main:side"], { cwd: tree });
    await git.ok(["push", "-q", url, ":side"], { cwd: tree });
    await maintain({ prune: true });
    await server.container.platform.git.run({ directory, args: ["cat-file", "-e", young] });
  });

  it("lets no push in meanwhile, nor one that began before the end", async () => {
    const { name, tree, url, maintain } = await repository();
    // Until then any round takes it up, and at its end lets pushes in.
    await maintain();
    await git.commit(tree, { more: "1" });
    const hold = (column: string, value: string) =>
      server.container.platform.db.query(
        `insert into repository_maintenance (repository_id, ${column})
         select id, ${value} from repositories where name = $1
         on conflict (repository_id) do update set ${column} = excluded.${column}`,
        [name],
      );
    await hold("pruning_until", "now() + interval '1 minute'");
    const refused = await git.run(["push", "-q", url, "main"], { cwd: tree });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      "remote: Content is being removed from the repository. Try again in a minute.",
    );
    await hold("pruning_until", "null");
    // An end in the future is an end that comes while the push is under way.
    await hold("pruned_at", "now() + interval '5 seconds'");
    expect((await git.run(["push", "-q", url, "main"], { cwd: tree })).code).not.toBe(0);
    await hold("pruned_at", "now() - interval '1 minute'");
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
  });
});

describe("what went wrong", () => {
  it("is found, told to administrators, and not made worse", async () => {
    const { name, tree, url, directory, maintain } = await repository();
    // Until then any round takes it up; from then on the next check is a week away, or asked for.
    await maintain();
    await git.commit(tree, { "README.md": "to be damaged" });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    await server.container.platform.db.query(
      "update repository_maintenance set checked_at = null where repository_id = (select id from repositories where name = $1)",
      [name],
    );
    const objects = await looseObjects(directory);
    const blob = await server.container.platform.git.run({
      directory,
      args: ["rev-parse", "main:README.md"],
    });
    const oid = blob.stdout.toString("utf8").trim();
    const file = objects.find((path) => path.endsWith(`${oid.slice(0, 2)}/${oid.slice(2)}`)) ?? "";
    await rm(file);
    await writeFile(file, "not an object");
    const after = await maintain();
    expect(after.state).toBe("damaged");
    expect(after.damage.join("\n")).toContain(oid);
    expect((await looseObjects(directory)).length).toBe(objects.length);
    const listed = await server.api("GET", "/admin/maintenance?state=damaged", { token: root.token });
    expect(listed.json.map((one: { repository: string }) => one.repository)).toEqual([`ada/${name}`]);
    expect((await server.api("GET", "/admin/maintenance", { token: ada.token })).status).toBe(403);
  });

  it("removes locks and temporary files that nobody can be using, and leaves young ones", async () => {
    const { directory, maintain } = await repository();
    const old = ["packed-refs.lock", "refs/heads/x.lock", "objects/pack/tmp_pack_a", "objects/tmp_obj_b"];
    const young = ["objects/pack/tmp_pack_c"];
    for (const name of [...old, ...young]) await writeFile(join(directory, name), "");
    await makeOld(old.map((name) => join(directory, name)));
    await maintain();
    const left = await Promise.all(
      [...old, ...young].map((name) =>
        stat(join(directory, name)).then(
          () => name,
          () => null,
        ),
      ),
    );
    expect(left.filter((name) => name !== null)).toEqual(young);
  });

  it("leaves locks to whoever may hold them, however old they are", async () => {
    const { directory, maintain } = await repository();
    const locks = ["refs/heads/x.lock", "objects/pack/multi-pack-index.lock"].map((n) => join(directory, n));
    for (const lock of locks) await writeFile(lock, "");
    await makeOld(locks);
    const { git } = server.container.platform;
    // Both wait for what they are to read.
    const commands = [["fast-import"], ["commit-graph", "write", "--stdin-packs"]];
    const holders = await Promise.all(commands.map((args) => git.start({ directory, args })));
    const isTaken = async (file: string) =>
      (await tryWithFileLock(file, () => Promise.resolve(true))) === undefined;
    for (const file of [refLocksFile(directory), objectLocksFile(directory)])
      await eventually(() => isTaken(file));
    const there = () => locks.filter((lock) => existsSync(lock));
    try {
      await maintain();
      expect(there()).toEqual(locks);
    } finally {
      for (const holder of holders) holder.kill();
      await Promise.all(holders.map(({ closed }) => closed));
    }
    await maintain();
    expect(there()).toEqual([]);
  });
});

it("has the size measured again", async () => {
  const one = await repository();
  const { db } = server.container.platform;
  const of = [`%/${one.name}`];
  const ofRepository =
    "repository_id = (select r.id from repositories r join owners o on o.id = r.owner_id where o.name || '/' || r.name like $1)";
  await db.query(
    `update repository_measurements set due_at = now() + interval '1 day' where ${ofRepository}`,
    of,
  );
  await one.maintain();
  await eventually(async () => {
    const soon = `select 1 from repository_measurements where ${ofRepository} and due_at < now() + interval '2 hours'`;
    return (await db.query(soon, of)).length === 1;
  });
});

/** Repositories in which there is something that no visible ref reaches, and a worker that can prune them. */
import { mkdir, writeFile } from "node:fs/promises";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import "../../support/quiet-temporal.ts";
import { createWorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import { addressWithToken } from "../../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { bundleCache } from "../../support/bundle-cache.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../support/ssh-client.ts";

export const hiddenThings = [
  "a commit of a hidden ref",
  "a directory of a hidden ref",
  "a file of a hidden ref",
  "a tag that a hidden ref names",
  "a commit of a deleted ref",
  "a directory of a deleted ref",
  "a file of a deleted ref",
  "a deleted tag on a commit that is there",
  "a deleted tag on a file that is there",
  "a commit that a forced push replaced",
  "a directory that a forced push replaced",
  "a file that a forced push replaced",
  "a file in the quarantine of a push",
  "the upstream's private commit",
  "a directory of the upstream's private commit",
  "a file of the upstream's private commit",
] as const;
export type HiddenThing = (typeof hiddenThings)[number];

export interface WallBed {
  server: ApiServer;
  client: SshClient;
  ada: TestPerson;
  /** Ada's, for SSH. */
  key: SshKeyFile;
  /** Owner of the upstream. */
  bob: TestPerson;
  /** Of `ada/code`. */
  directory: string;
  url: string;
  tree: string;
  /** The commit that `main` of `ada/code` and of `ada/fork` names, the only ref of both. */
  seen: string;
  hidden: Record<HiddenThing, { repository: string; id: string }>;
  close(): Promise<void>;
}

export async function startWallBed(): Promise<WallBed> {
  const taskQueue = `test-walls-${process.pid}`;
  const env = {
    FORGELINE_TASK_QUEUE: taskQueue,
    FORGELINE_MAINTENANCE_MINUTES: "10080",
    FORGELINE_SSH_PORT: "0",
  };
  const server = await startApiServer({ env });
  const [ada, bob] = await Promise.all([server.person("ada"), server.person("bob")]);
  const client = await createSshClient(server);
  const planted = await plant(server, client, { ada, bob });
  const { runs } = server.container.pipelines;
  const { maintenance, maintenanceSchedule, upkeepSchedules } = server.container.upkeep;
  const { statistics } = server.container.hosting;
  const { temporal } = server.container.platform;
  const bundle = await workflowBundle(bundleCache);
  const { address } = server.config.temporal;
  const worker = await createWorkflowWorker({
    address,
    taskQueue,
    bundle,
    services: { runs, maintenance, statistics, upkeepSchedules },
  });
  const running = worker.run();
  await maintenanceSchedule.keep();
  return {
    server,
    client,
    ada,
    key: await client.keyOf(ada),
    bob,
    ...planted,
    async close() {
      await temporal.client.schedule.getHandle(`maintenance:${taskQueue}`).delete();
      worker.shutdown();
      await running;
      await client.remove();
      await server.stop();
    },
  };
}

/** Bob's repository with a private branch that was made after Ada forked it, and Ada's with refs hidden, deleted and moved. */
async function plant(server: ApiServer, { git }: SshClient, { ada, bob }: Record<"ada" | "bob", TestPerson>) {
  const ask = (person: TestPerson, method: string, path: string, body: object) =>
    server.api(method, path, { token: person.token, body });
  const { id } = (await ask(ada, "POST", "/repos", { name: "code" })).json;
  await ask(bob, "POST", "/repos", { name: "upstream", visibility: "public" });
  const tree = await git.workTree({ "a.txt": "seen" });
  const idOf = (name: string) => git.ok(["rev-parse", name], { cwd: tree });
  const url = addressWithToken(server.webUrl, "ada/code", ada.token);
  const upstream = addressWithToken(server.webUrl, "bob/upstream", bob.token);
  await git.ok(["push", "-q", upstream, "main"], { cwd: tree });
  const forked = await ask(ada, "POST", "/repos/bob/upstream/forks", { name: "fork" });
  if (forked.status !== 201) throw new Error(forked.text);
  await ask(bob, "PATCH", "/repos/bob/upstream", { visibility: "private" });
  for (const name of ["internal", "deleted", "replaced", "upstream"]) await secretBranch(git, tree, name);
  await git.ok(["tag", "-a", "-m", "secret word", "v0", "main"], { cwd: tree });
  await git.ok(["tag", "-a", "-m", "secret words", "v0-file", "main:a.txt"], { cwd: tree });
  await git.ok(["tag", "-a", "-m", "secret words of ours", "kept", "main"], { cwd: tree });
  await git.ok(["push", "-q", upstream, "upstream"], { cwd: tree });
  await git.ok(["push", "-q", url, "replaced:main", "internal", "deleted", "--tags"], { cwd: tree });
  const directory = server.container.platform.storage.directory(id);
  for (const [ref, name] of [
    ["refs/internal/kept", "internal"],
    ["refs/internal/tag", "kept"],
  ] as const)
    await git.ok(["--git-dir", directory, "update-ref", ref, await idOf(name)]);
  const gone = [":internal", ":deleted", ":refs/tags/v0", ":refs/tags/v0-file", ":refs/tags/kept"];
  await git.ok(["push", "-q", "--force", url, "main", ...gone], { cwd: tree });
  const incoming = await quarantined(git, directory);
  const names: Record<HiddenThing, [repository: string, name: string]> = {
    "a commit of a hidden ref": ["ada/code", "internal"],
    "a directory of a hidden ref": ["ada/code", "internal:folder"],
    "a file of a hidden ref": ["ada/code", "internal:internal.txt"],
    "a tag that a hidden ref names": ["ada/code", "kept"],
    "a commit of a deleted ref": ["ada/code", "deleted"],
    "a directory of a deleted ref": ["ada/code", "deleted^{tree}"],
    "a file of a deleted ref": ["ada/code", "deleted:folder/deleted.txt"],
    "a deleted tag on a commit that is there": ["ada/code", "v0"],
    "a deleted tag on a file that is there": ["ada/code", "v0-file"],
    "a commit that a forced push replaced": ["ada/code", "replaced"],
    "a directory that a forced push replaced": ["ada/code", "replaced:folder"],
    "a file that a forced push replaced": ["ada/code", "replaced:replaced.txt"],
    "a file in the quarantine of a push": ["ada/code", incoming],
    "the upstream's private commit": ["ada/fork", "upstream"],
    "a directory of the upstream's private commit": ["ada/fork", "upstream^{tree}"],
    "a file of the upstream's private commit": ["ada/fork", "upstream:upstream.txt"],
  };
  const hidden = {} as WallBed["hidden"];
  for (const what of hiddenThings) {
    const [repository, name] = names[what];
    hidden[what] = { repository, id: name === incoming ? incoming : await idOf(name) };
  }
  return { directory, url, tree, seen: await idOf("main"), hidden };
}

/** With a file, and another in a directory. */
async function secretBranch(git: SshClient["git"], tree: string, name: string): Promise<void> {
  await git.ok(["checkout", "-q", "-b", name, "main"], { cwd: tree });
  await mkdir(`${tree}/folder`);
  const deep = `deep secret of ${name}`;
  await git.commit(tree, { [`${name}.txt`]: `secret of ${name}`, [`folder/${name}.txt`]: deep });
}

/** Id of a file that lies where Git puts what a push brings before the hooks have spoken. */
async function quarantined(git: SshClient["git"], directory: string): Promise<string> {
  const objects = `${directory}/objects/tmp_objdir-incoming-waits`;
  await mkdir(objects);
  const file = `${git.home}/incoming.txt`;
  await writeFile(file, "secret that waits");
  return git.ok(["--git-dir", directory, "hash-object", "-w", file], {
    env: { GIT_OBJECT_DIRECTORY: objects },
  });
}

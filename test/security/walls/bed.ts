/** Repositories in which there is something that no visible ref reaches, and a worker that can prune them. */
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import { createWorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import { addressWithToken } from "../../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { bundleCache } from "../../support/bundle-cache.ts";
import { createSshClient, type SshClient } from "../../support/ssh-client.ts";

export const hiddenThings = [
  "a commit of a hidden ref",
  "a commit of a deleted ref",
  "a deleted tag on a commit that is there",
  "the upstream's private commit",
] as const;
export type HiddenThing = (typeof hiddenThings)[number];

export interface WallBed {
  server: ApiServer;
  client: SshClient;
  ada: TestPerson;
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
  const { runs, maintenance, statistics, maintenanceSchedule, temporal } = server.container;
  const bundle = await workflowBundle(bundleCache);
  const { address } = server.config.temporal;
  const worker = await createWorkflowWorker({ address, taskQueue, bundle, runs, maintenance, statistics });
  const running = worker.run();
  await maintenanceSchedule.keep();
  return {
    server,
    client,
    ada,
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

/** Bob's repository with a private branch that was made after Ada forked it, and Ada's with refs hidden and deleted. */
async function plant(server: ApiServer, { git }: SshClient, { ada, bob }: Record<"ada" | "bob", TestPerson>) {
  const ask = (person: TestPerson, method: string, path: string, body: object) =>
    server.api(method, path, { token: person.token, body });
  const { id } = (await ask(ada, "POST", "/repos", { name: "code" })).json;
  await ask(bob, "POST", "/repos", { name: "upstream", visibility: "public" });
  const tree = await git.workTree({ "a.txt": "seen" });
  const commit = async (name: string) => {
    await git.ok(["checkout", "-q", "-b", name, "main"], { cwd: tree });
    return git.commit(tree, { [`${name}.txt`]: `secret of ${name}` });
  };
  const seen = await git.ok(["rev-parse", "main"], { cwd: tree });
  const url = addressWithToken(server.webUrl, "ada/code", ada.token);
  const upstream = addressWithToken(server.webUrl, "bob/upstream", bob.token);
  await git.ok(["push", "-q", upstream, "main"], { cwd: tree });
  const forked = await ask(ada, "POST", "/repos/bob/upstream/forks", { name: "fork" });
  if (forked.status !== 201) throw new Error(forked.text);
  await ask(bob, "PATCH", "/repos/bob/upstream", { visibility: "private" });
  const [internal, deleted, later] = [
    await commit("internal"),
    await commit("deleted"),
    await commit("upstream"),
  ];
  await git.ok(["tag", "-a", "-m", "secret word", "v0", "main"], { cwd: tree });
  const tag = await git.ok(["rev-parse", "v0"], { cwd: tree });
  await git.ok(["push", "-q", upstream, "upstream"], { cwd: tree });
  await git.ok(["push", "-q", url, "main", "internal", "deleted", "v0"], { cwd: tree });
  const directory = server.container.storage.directory(id);
  await git.ok(["--git-dir", directory, "update-ref", "refs/internal/kept", internal!]);
  await git.ok(["push", "-q", url, ":internal", ":deleted", ":refs/tags/v0"], { cwd: tree });
  const hidden: WallBed["hidden"] = {
    "a commit of a hidden ref": { repository: "ada/code", id: internal! },
    "a commit of a deleted ref": { repository: "ada/code", id: deleted! },
    "a deleted tag on a commit that is there": { repository: "ada/code", id: tag },
    "the upstream's private commit": { repository: "ada/fork", id: later! },
  };
  return { directory, url, tree, seen, hidden };
}

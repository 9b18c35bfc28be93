/**
 * Two API servers that share disk and database, people who speak to either, and a Git client. A server may be killed: what it had
 * taken stays taken for minutes, so once the others have answered, those minutes are made to have passed.
 */
import { Agent } from "node:https";
import { readFile } from "node:fs/promises";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { loadConfig } from "@forgeline/server/config/config.ts";
import { createContainer } from "@forgeline/server/container.ts";
import { insertOwner } from "@forgeline/server/domains/accounts/owners/owners.store.ts";
import { insertUser } from "@forgeline/server/domains/accounts/users/users.store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../../integration/git/git-client.ts";
import { sendTo, type ApiServer } from "../../../support/api-server.ts";
import { startTestInstance, type TestInstance } from "../../../support/instance.ts";
import {
  importOf,
  pushByRest,
  type Answer,
  type NewBranch,
  type Person,
  type RaceRepository,
  type RaceWorld,
} from "../../../support/merge-races/world.ts";
import { passwordCost } from "../../../support/password-cost.ts";
import { ofTexts, type TextContainer } from "../../../support/text-database.ts";

export interface MergesWorld extends RaceWorld {
  instance: TestInstance;
  makeBranches(repository: RaceRepository, branches: readonly NewBranch[]): Promise<unknown>;
  /** Whatever a server took before `since`, and did not bring to an end, has been taken for too long now. */
  passTime(since: Date): Promise<void>;
  close(): Promise<void>;
}

export async function openMergesWorld(random: () => number): Promise<MergesWorld> {
  const instance = await startTestInstance({ servers: 2, worker: false, runners: 0 });
  const container = await containerOf(instance);
  const tokens = await makePeople(container);
  const git = await createGitClient(instance.certificates.caFile);
  const { db, storage } = container.platform;
  const inRepository: RaceWorld["git"] = async (id, args, input) => {
    const given = input === undefined ? {} : { input };
    const { stdout } = await container.platform.git.run({
      directory: storage.directory(id),
      args: [...args],
      ...given,
    });
    return stdout.toString("utf8").trim();
  };
  const call = await callEither(instance, tokens, random);
  const workshop = await git.workTree();
  return {
    instance,
    call,
    query: (sql, values = []) => db.query(sql, [...values]) as Promise<never>,
    git: inRepository,
    makeBranches: (repository, branches) =>
      inRepository(repository.id, ["fast-import", "--quiet", "--done"], importOf(branches, repository.main)),
    push(person, repository, to) {
      if (random() < 0.5) return pushByRest({ call }, person, { repository, ...to });
      const { url } = instance.servers[random() < 0.5 ? 0 : 1]!;
      const address = addressWithToken(url, repository.name, tokens[person]);
      return pushByGit({ git, workshop, address }, to);
    },
    async passTime(since) {
      for (const sql of laterSql) await db.query(sql, [since]);
    },
    async close() {
      await git.remove();
      await container.close();
      await instance.stop();
    },
  };
}

/** For the database and Git; it serves nobody. */
async function containerOf({ database, bed, directory }: TestInstance): Promise<TextContainer> {
  const { certFile, keyFile, caFile } = bed.certificates;
  const config = loadConfig({
    FORGELINE_DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: bed.temporalAddress,
    FORGELINE_TLS_CERT_FILE: certFile,
    FORGELINE_TLS_KEY_FILE: keyFile,
    FORGELINE_TLS_CA_FILE: caFile,
    FORGELINE_DATA_DIR: `${directory}/data`,
    FORGELINE_LOG_LEVEL: "silent",
  });
  return ofTexts(await createContainer(config, { role: "command", passwordCost }));
}

async function makePeople({ platform, accounts }: TextContainer): Promise<Record<Person, string>> {
  const tokenOf = async (username: Person) => {
    const id = newId("usr");
    await insertOwner(platform.db, { id, name: username, kind: "user" });
    await insertUser(platform.db, { id, username, isAdmin: false, passwordHash: null });
    return (await accounts.tokens.createFor({ id, username }, { name: "chaos", scopes, expiresInDays: null }))
      .token;
  };
  return { ada: await tokenOf("ada"), bob: await tokenOf("bob"), cat: await tokenOf("cat") };
}

/** A request that finds no server goes to the other one; one that breaks off is not sent again. */
async function callEither(
  { servers, certificates }: TestInstance,
  tokens: Record<Person, string>,
  random: () => number,
): Promise<RaceWorld["call"]> {
  const ca = await readFile(certificates.caFile, "utf8");
  const agent = new Agent({ ca, maxSockets: 40 });
  const senders = await Promise.all(servers.map(({ url }) => sendTo(url, certificates.caFile)));
  return async (person, method, path, body) => {
    const first = random() < 0.5 ? 0 : 1;
    for (const index of [first, 1 - first])
      try {
        const send: ApiServer["api"] = senders[index]!;
        const { status, json } = await send(method, path, { token: tokens[person], body, agent });
        return { status, json };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") continue;
        return broken(error);
      }
    return broken(new Error("no server"));
  };
}

const broken = (error: unknown): Answer => ({ status: 0, json: { message: String(error) } });

/** On what the branch has at that moment, so it is refused where somebody else is quicker. */
async function pushByGit(
  { git, workshop, address }: { git: GitClient; workshop: string; address: string },
  { branch, file }: { branch: string; file: string },
): Promise<Answer> {
  const run = (args: string[], env = {}) => git.run(args, { cwd: workshop, env });
  const said = ({ stderr: message }: { stderr: string }, status: number) => ({ status, json: { message } });
  const own = `refs/chaos/${file}`;
  const fetched = await run([
    "fetch",
    "-q",
    "--no-write-fetch-head",
    address,
    `+refs/heads/${branch}:${own}`,
  ]);
  if (fetched.code !== 0) return said(fetched, 0);
  const index = { GIT_INDEX_FILE: `.git/index-${file}` };
  const steps = [
    ["read-tree", own],
    ["update-index", "--add", "--cacheinfo", `100644,${await blobOf(git, workshop)},${file}`],
  ];
  for (const step of steps) await git.ok(step, { cwd: workshop, env: index });
  const tree = (await git.ok(["write-tree"], { cwd: workshop, env: index })).trim();
  const commit = await git.ok(["commit-tree", tree, "-p", own, "-m", `Write ${file}`], { cwd: workshop });
  const pushed = await run(["push", "-q", address, `${commit}:refs/heads/${branch}`]);
  if (pushed.code === 0) return said(pushed, 200);
  return said(pushed, /rejected|declined|denied/.test(pushed.stderr) ? 409 : 0);
}

/** Of the only file that the workshop began with. */
const blobOf = (git: GitClient, cwd: string) => git.ok(["rev-parse", "HEAD:README.md"], { cwd });

/** As long ago as they may be held: a merge two minutes, a comparison and a queue five, a merge that waited two and a half. */
const laterSql = [
  "update merge_requests set merging_at = merging_at - interval '10 minutes' where merging_at < $1",
  `update merge_requests set check_due_at = now() where check_due_at - interval '5 minutes' < $1 and check_due_at > now()`,
  `update merge_queues set leased_until = null, due_at = now() where leased_until - interval '5 minutes' < $1`,
  `update merge_request_auto_merges set due_at = now() where due_at - interval '150 seconds' < $1 and due_at > now()`,
];

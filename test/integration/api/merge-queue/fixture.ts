/** A repository with branches that have merge queues, moved on as servers do it, and runs that end as a test wants. */
import { expect } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";

export const R = "/repos/acme/engine";
export const M = `${R}/merge-requests`;
export const Q = `${R}/merge-queue`;

interface Shown {
  entries: { number: number; position: number; state: string }[];
  batch: ShownBatch | null;
  batches: ShownBatch[];
}

interface ShownBatch {
  sha: string;
  base_sha: string;
  runs: { id: string; number: number }[];
}

export type QueueBed = Awaited<ReturnType<typeof startQueueBed>>;

export async function startQueueBed() {
  const server: ApiServer = await startApiServer();
  const [ada, bob] = [await server.person("ada"), await server.person("bob")];
  const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
    server.api(method, path, { token: person.token, body });
  const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
  const query = (sql: string, values: unknown[] = []) => server.container.platform.db.query(sql, values);
  const ofBranches = branchesOver((...request) => api(...request), R);
  const { put, branch, tipOf } = ofBranches;
  await api("POST", "/orgs", { name: "acme" });
  const made = await api("POST", "/repos", { owner: "acme", name: "engine", readme: true, private: true });
  await api("PUT", "/orgs/acme/members/bob", {});
  await api("PUT", `${R}/collaborators/bob`, { permission: "write" });
  await put("main", ".forgeline.yml", "image: busybox\nsteps: ['true']\n");
  const main = await tipOf("main");
  const repositoryId = made.json.id as string;
  const pushedByHand = new Set([main]);
  let count = 0;

  /** A branch with a queue of its own. */
  async function queued(settings: object = { max_batch: 5 }, rule: object = {}) {
    count += 1;
    const target = `target-${count}`;
    await api("POST", `${R}/branches`, { name: target, ref: "main" });
    const ruled = { pattern: target, merge_queue: settings, ...rule };
    const answer = await api("POST", `${R}/branch-protections`, ruled);
    expect([answer.status, answer.json.message]).toEqual([201, undefined]);
    return { target, rule: `${R}/branch-protections/${answer.json.id}` };
  }

  async function propose(target: string, source: string, files: Record<string, string>): Promise<number> {
    await branch(source, files);
    const opened = await api("POST", M, { title: source, source_branch: source, target_branch: target });
    expect([opened.status, opened.json.message]).toEqual([201, undefined]);
    return opened.json.number;
  }

  async function add(number: number, body: object = {}, person = ada) {
    const added = await as(person)("POST", Q, { number, ...body });
    expect([added.status, added.json.message]).toEqual([201, undefined]);
  }

  /** The server looks by itself, too: only when all of them wait. */
  async function together(target: string, addThem: () => Promise<void>) {
    const pause = (paused: boolean) => api("PATCH", Q, { branch: target, paused });
    await pause(true);
    await addThem();
    expect((await pause(false)).status).toBe(200);
  }

  const addAll = (target: string, numbers: readonly number[]) =>
    together(target, async () => {
      for (const number of numbers) await add(number);
    });

  const show = async (target: string) => (await api("GET", `${Q}?branch=${target}`)).json;
  const numbersOf = async (target: string) =>
    ((await show(target)) as Shown).entries.map(({ number }) => number);
  const record = async (number: number) => (await api("GET", `${M}/${number}`)).json;
  async function leftBecause(number: number) {
    const { json } = await api("GET", `${M}/${number}/timeline?per_page=100`);
    return (json as { kind: string; reason?: string }[]).findLast(({ kind }) => kind === "dequeued")?.reason;
  }

  /** Several servers at once: the test's own one looks, too. Until all that was due is done. */
  async function look() {
    await query("update merge_queues set due_at = now(), wanted = wanted + 1 where due_at is not null");
    const { mergeQueueAdvance } = server.container.collaboration;
    await Promise.all([1, 2].map(() => mergeQueueAdvance.advanceDue(new AbortController().signal)));
    const open = "select branch from merge_queues where leased_until is not null or due_at <= now()";
    await eventually(async () => (await query(open)).length === 0);
  }

  /** Ends the runs of what is tested: they fail where it has a file of that name. */
  async function end(target: string, bad = "bad.txt"): Promise<Shown> {
    const before: Shown = await show(target);
    if (!before.batch) return before;
    const { git, storage } = server.container.platform;
    const directory = storage.directory(repositoryId);
    const args = ["cat-file", "-e", `${before.batch.sha}:${bad}`];
    const { exitCode } = await git.run({ directory, args, acceptExitCodes: [0, 1, 128] });
    const status = exitCode === 0 ? "failed" : "success";
    for (const { id } of before.batch.runs)
      await query("update pipelines set status = $2, finished_at = now() where id = $1", [id, status]);
    return before;
  }

  /** What lands has been tested as it is. */
  async function assertTested(target: string) {
    const sha = await tipOf(target);
    if (pushedByHand.has(sha)) return;
    const ofQueue = "select status from pipelines where sha = $1 and ref like 'refs/merge-queue/%'";
    const statuses = (await query(ofQueue, [sha])).map((row) => row["status"]);
    expect([sha, statuses]).toEqual([sha, expect.arrayContaining(["success"])]);
  }

  /** Until nothing waits; gives what was tested together. */
  async function playAll(target: string) {
    const batches: number[][] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await look();
      await assertTested(target);
      const { entries, batch } = await end(target);
      if (entries.length === 0) return batches;
      if (batch) batches.push(entries.filter(({ state }) => state !== "queued").map(({ number }) => number));
    }
    throw new Error("the queue does not come to an end");
  }

  const ofQueue = {
    queued,
    propose,
    add,
    addAll,
    together,
    show,
    numbersOf,
    record,
    leftBecause,
    look,
    end,
    playAll,
  };
  return { server, ada, bob, as, api, query, ...ofBranches, pushedByHand, ...ofQueue };
}

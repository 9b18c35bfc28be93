/**
 * Two API servers on one disk that do not see each other's processes. People push to the same refs through both, while some of the
 * Git processes that hold a ref's lock are stopped for long, and some are killed. What is counted is judged by whoever calls.
 */
import { mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zeroId } from "@forgeline/server/platform/git/refs/names.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../integration/git/git-client.ts";
import { startApiServer, type ApiServer } from "../api-server.ts";
import { eventually } from "../eventually.ts";
import { needsRoot } from "../programs/needs.ts";
import { createFaultyGit, stoppedHolders, type FaultyGit, type SuspendedProcess } from "./faulty-git.ts";
import { startSide, type Side } from "./side.ts";

export interface DrillSize {
  /** Acknowledged ones, at least. */
  pushes: number;
  refs: number;
  /** At a time, on each side. */
  pushers: number;
  stops: number;
  /** A whole side besides, once. */
  stopsSide: boolean;
  stoppedForMs: number;
  kills: number;
}

export interface DrillFigures {
  acknowledged: number;
  refused: number;
  /** Locks of stopped holders, and those of them that somebody else took away. */
  held: number;
  heldAndRemoved: string[];
  /** Updates that were acknowledged, or made by a holder that was stopped, and are not in the history of their ref. */
  lost: string[];
  /** How long each lock stayed that was nobody's, in ms. */
  leftMs: number[];
}

interface Drill {
  size: DrillSize;
  server: ApiServer;
  client: GitClient;
  faults: FaultyGit;
  sides: Side[];
  id: string;
  directory: string;
  token: string;
  figures: DrillFigures;
  /** Of acknowledged pushes, `<ref> <after>`; and what the stopped wanted. */
  promised: string[];
  /** Lock files that stopped holders have, by path. */
  held: Set<string>;
}

export async function runDrill(size: DrillSize): Promise<DrillFigures> {
  needsRoot("give a server namespaces of its own");
  const home = await mkdtemp(join(tmpdir(), "forgeline-neighbours-"));
  const server = await startApiServer();
  const client = await createGitClient(server.caFile);
  const sides: Side[] = [];
  try {
    // The servers on both sides do all of the work.
    server.container.hosting.pushes.close();
    const faults = await createFaultyGit(home);
    const starts = ["left", "right"].map(async (name) => {
      sides.push(await startSide({ name, server, path: await faults.pathFor(name), directory: home }));
    });
    await Promise.all(starts);
    const { token } = await server.person("ada");
    const { json } = await server.api("POST", "/repos", { token, body: { name: "shared" } });
    const directory = await realpath(server.container.platform.storage.directory(json.id));
    const figures = { acknowledged: 0, refused: 0, held: 0, heldAndRemoved: [], lost: [], leftMs: [] };
    const parts = { size, server, client, faults, sides, token, directory, figures };
    const drill: Drill = { ...parts, id: json.id, promised: [], held: new Set() };
    await push(drill);
    await judge(drill);
    return figures;
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    await client.remove();
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function push(drill: Drill): Promise<void> {
  const { client, sides, size, figures, token } = drill;
  for (const { webUrl, resolve } of sides) {
    const look = ["-c", resolve, "ls-remote", addressWithToken(webUrl, "ada/shared", token)];
    await eventually(async () => (await client.run(look)).code === 0, { timeoutMs: 60_000 });
  }
  let sabotaged = false;
  const isOver = () => sabotaged && figures.acknowledged >= size.pushes;
  const pushers = sides.flatMap((side) =>
    Array.from({ length: size.pushers }, () => pushOn(drill, side, isOver)),
  );
  const looking = lookAtLocks(drill, isOver);
  await sabotage(drill).finally(() => (sabotaged = true));
  await Promise.all([...pushers, looking]);
}

/** Puts a commit of its own in place of whatever is there, again and again. */
async function pushOn(drill: Drill, { webUrl, resolve }: Side, isOver: () => boolean): Promise<void> {
  const { client, figures, size } = drill;
  const tree = await client.workTree();
  const url = addressWithToken(webUrl, "ada/shared", drill.token);
  for (let n = 0; !isOver(); n++) {
    const after = await client.ok(["commit-tree", "HEAD^{tree}", "-m", `${tree} ${n}`], { cwd: tree });
    const ref = `refs/heads/shared-${Math.floor(Math.random() * size.refs)}`;
    const command = ["-c", resolve, "push", "-q", url, `+${after}:${ref}`];
    if ((await client.run(command, { cwd: tree })).code !== 0) figures.refused += 1;
    else {
      figures.acknowledged += 1;
      drill.promised.push(`${ref} ${after}`);
    }
  }
}

/** One after the other is begun; those that are stopped stay so meanwhile. */
async function sabotage(drill: Drill): Promise<void> {
  const { faults, directory, size, sides } = drill;
  const waking: Promise<void>[] = [];
  for (let n = 0; n < Math.max(size.stops, size.kills); n++) {
    if (n < size.stops) {
      const holder = await stopHolder(drill);
      waking.push(keepStopped(drill, holder, () => holder.wake()));
    }
    if (n < size.kills) {
      await faults.order(directory, "kill");
      await eventually(async () => (await faults.killed()) > n, { timeoutMs: 60_000 });
    }
  }
  await Promise.all(waking);
  if (!size.stopsSide) return;
  const holder = await stopHolder(drill);
  const side = sides.find(({ has }) => has(holder.pid))!;
  side.signal("SIGSTOP");
  await keepStopped(drill, holder, () => side.signal("SIGCONT"));
}

async function stopHolder({ faults, directory, held, figures }: Drill): Promise<SuspendedProcess> {
  await faults.order(directory, "stop");
  const isNew = ({ path }: SuspendedProcess) => !held.has(path);
  const holder = await eventually(async () => (await stoppedHolders(directory)).find(isNew), {
    timeoutMs: 60_000,
    intervalMs: 50,
  });
  held.add(holder.path);
  figures.held += 1;
  return holder;
}

async function keepStopped(drill: Drill, holder: SuspendedProcess, wake: () => void): Promise<void> {
  const { figures, held, promised, size } = drill;
  await sleep(size.stoppedForMs);
  if (!(await holder.hasItsLock())) figures.heldAndRemoved.push(holder.ref);
  promised.push(`${holder.ref} ${holder.after}`);
  wake();
  await eventually(async () => !(await holder.hasItsLock().catch(() => false)));
  held.delete(holder.path);
}

/** Notes how long each lock stays that no stopped holder has, where that is long. */
async function lookAtLocks({ directory, held, figures }: Drill, isOver: () => boolean): Promise<void> {
  const seen = new Map<string, number>();
  const folder = join(directory, "refs/heads");
  do {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".lock"));
    const there = new Set<string>();
    for (const path of names.map((name) => join(folder, name))) {
      const inode = held.has(path) ? undefined : await inodeOf(path);
      if (inode !== undefined) there.add(`${path} ${inode}`);
    }
    for (const lock of there) if (!seen.has(lock)) seen.set(lock, performance.now());
    for (const [lock, sinceMs] of seen) {
      if (there.has(lock)) continue;
      seen.delete(lock);
      const leftMs = performance.now() - sinceMs;
      // Others are at work for some milliseconds, on a crowded machine for more; a killed one's stays for seconds.
      if (leftMs > 2_000 && !held.has(lock.split(" ")[0]!)) figures.leftMs.push(Math.round(leftMs));
    }
    await sleep(50);
  } while (!isOver() || seen.size > 0);
}

async function inodeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.ino;
}

/** Each ref's recorded moves are one chain, from nothing to where it is, and what was promised is in it. */
async function judge({ server, id, figures, promised, directory }: Drill): Promise<void> {
  const { db, git } = server.container.platform;
  const { pushes } = server.container.hosting;
  const text = "select state, updates from pushes where repository_id = $1";
  const rows = () => db.query<{ state: string; updates: Update[] }>(text, [id]);
  // Those that came to nothing, which would be given up in a minute.
  await pushes.settleAll();
  await eventually(async () => (await rows()).every(({ state }) => state !== "intended"));
  const recorded = (await rows()).flatMap(({ state, updates }) => (state === "recorded" ? updates : []));
  const listed = await git.run({ directory, args: ["for-each-ref", "--format=%(refname) %(objectname)"] });
  for (const [ref = "", now] of listed.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.split(" "))) {
    const moves = recorded.filter((update) => update.ref === ref);
    const next = new Map(moves.map(({ before, after }) => [before, after]));
    const chain = [];
    for (let at = next.get(zeroId); at !== undefined; at = next.get(at)) chain.push(at);
    if (chain.at(-1) !== now || chain.length !== moves.length)
      figures.lost.push(
        `${ref} is at ${now}; ${chain.length} of ${moves.length} moves lead to ${chain.at(-1)}`,
      );
    const passed = new Set(chain.map((after) => `${ref} ${after}`));
    const missing = promised.filter((each) => each.startsWith(`${ref} `) && !passed.has(each));
    figures.lost.push(...missing);
  }
}

interface Update {
  ref: string;
  before: string;
  after: string;
}

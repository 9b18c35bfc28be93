/**
 * Row 72 of security.md: before each call that the runner makes on files which a job can write, the job puts something else in
 * their place. Held is what comes of it, and that nothing outside is read or changed.
 *
 * Only names in the directory are swapped and not the directory, which is a mount in the container: the job cannot
 * rename it. Journal and logs are swapped with theirs all the same, which no job can: where they lie then, nothing of it runs yet.
 */
import { spawn } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  createSupervisor,
  makeSupervisorPlaces,
  type SupervisorPlaces,
} from "@forgeline/runner/engine/docker/supervisor.ts";
import { makeStepFiles } from "@forgeline/runner/engine/docker/step-files.ts";
import { EngineError } from "@forgeline/runner/engine/engine.ts";
import { readJobFile } from "@forgeline/runner/engine/job-file.ts";
import { isFull, size } from "../../../support/size.ts";
import { atEachCall, placeFaultPoints } from "./fault-points.ts";
import { snapshotOf, makeGround, removeGround, swapsOn, type Ground, type Swap } from "./swapped-files.ts";

/** One system call each. Others, such as `rm`, look and act by name several times, with no fault point between. */
const single = ["open", "lstat", "rename", "unlink", "readdir"];
const ofHandle = /^handle\.(chmod|stat|read|close)$/;

/** Second to another swap: of each kind that calls by name tell apart. */
const turning = new Set(["a link to a directory", "a full directory", "another file", "nothing"]);

let ground: Ground;
let before: unknown[];
let places: SupervisorPlaces;
let removePoints: () => void;
beforeAll(() => {
  removePoints = placeFaultPoints();
});
afterAll(() => removePoints());
beforeEach(async () => {
  ground = await makeGround();
  before = snapshotOf(ground);
  const job = join(ground.home, "job");
  places = {
    inDir: join(job, "in"),
    outDir: join(job, "out"),
    control: join(job, "taken/control"),
    ownDir: join(job, "taken/own"),
  };
});
afterEach(() => removeGround(ground));

const ci = () => join(places.outDir, "step-0.ci");
const written = () => [ci(), join(places.outDir, "step-0.summary")];

function emptyJob(): void {
  rmSync(join(ground.home, "job"), { recursive: true, force: true });
  for (const directory of [places.outDir, places.ownDir]) mkdirSync(directory, { recursive: true });
}

interface Trial<T> {
  /** Afresh before each run. */
  prepare: () => Promise<void> | void;
  /** What is swapped, all at once. */
  targets: () => string[];
  work: () => Promise<T>;
  hold: (result: T | undefined, error: unknown) => void;
}

/** What is swapped before a call, the first being 0. */
type Plan = (call: number) => Swap | null;

/** One run. Answers with the number of its calls. */
async function runOnce<T>(trial: Trial<T>, plan: Plan): Promise<number> {
  await trial.prepare();
  const { calls, result, error } = await atEachCall(trial.work, (name, call) => {
    if (!single.includes(name)) expect(name).toMatch(ofHandle);
    const swap = plan(call);
    if (swap !== null) for (const at of trial.targets()) swap(at);
  });
  expect(snapshotOf(ground)).toEqual(before);
  trial.hold(result, error);
  return calls;
}

/** One run for each call from which a plan can begin, until there is no such call. Answers with the number of those. */
async function fromEachCall<T>(
  what: string,
  trial: Trial<T>,
  planFrom: (from: number) => Plan,
): Promise<number> {
  for (let from = 0; ; from += 1)
    try {
      if ((await runOnce(trial, planFrom(from))) <= from) return from;
    } catch (error) {
      throw new Error(`${what}, from call ${from}: ${String(error)}`, { cause: error });
    }
}

/** Each swap, once, before each call. */
async function swapAtEach<T>(swaps: [string, Swap][], trial: Trial<T>): Promise<number> {
  let runs = 0;
  for (const [what, swap] of swaps)
    runs += await fromEachCall(what, trial, (from) => (call) => (call === from ? swap : null));
  return runs;
}

const makesFiles = (hold: Trial<string[]>["hold"]): Trial<string[]> => ({
  prepare: emptyJob,
  targets: written,
  work: () => makeStepFiles(places, 0),
  hold(result, error) {
    hold(result, error);
    const log = lstatSync(join(places.ownDir, "step-0.out"));
    expect([log.isFile(), log.size, log.nlink]).toEqual([true, 0, 1]);
  },
});

it("files of a step are made, whatever comes in their place once", async () => {
  const swaps = swapsOn(ground, join(ground.outside, "file"));
  const trial = makesFiles((planted, error) => {
    expect(error).toBeUndefined();
    for (const name of planted ?? ["none"]) expect(["step-0.ci", "step-0.summary"]).toContain(name);
  });
  expect(await swapAtEach(swaps, trial)).toBeGreaterThan(100);
});

it("files of a step are made or the job ends, whatever two things come in their place by turns", async () => {
  const swaps = swapsOn(ground, join(ground.outside, "file"));
  let ended = 0;
  const trial = makesFiles((_planted, error) => {
    if (error === undefined) return;
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/prevents step-0\.\w+ from being created/),
    });
    ended += 1;
  });
  const second = swaps.filter(([name]) => turning.has(name));
  for (const [what, one] of isFull ? swaps : second)
    for (const [other, two] of second)
      await fromEachCall(`${what}, then ${other}`, trial, (from) => (call) => {
        if (call < from) return null;
        return (call - from) % 2 === 0 ? one : two;
      });
  expect(ended).toBeGreaterThan(size(20, 50));
});

const reads = (allowed: (string | undefined)[]): Trial<Buffer | null> => ({
  prepare() {
    emptyJob();
    writeFileSync(ci(), "own=1\n");
    writeFileSync(join(places.outDir, "theirs"), "theirs=1\n");
  },
  targets: () => [ci()],
  work: () => readJobFile(ci(), 100),
  hold(result, error) {
    expect(error).toBeUndefined();
    expect(allowed).toContain(result?.toString());
  },
});

it("what is read of a job's file is the job's, whatever comes in its place", async () => {
  // A hard link is to a file of the same directory, the only ones to which a job can make any there.
  const swaps = swapsOn(ground, join(places.outDir, "theirs"));
  const allowed = [undefined, "", "own=1\n", "forged=1\n", "theirs=1\n", "\0".repeat(100)];
  expect(await swapAtEach(swaps, reads(allowed))).toBeGreaterThan(60);
});

it("a job's file on which it holds a lease is not waited for, and no error of the runner", async () => {
  const leased = join(ground.home, "leased");
  writeFileSync(leased, "leased=1\n");
  const hold = [
    "import fcntl, signal, sys, time",
    "signal.signal(signal.SIGIO, signal.SIG_IGN)",
    "file = open(sys.argv[1], 'r+')",
    "fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)",
    "print('held', flush=True)",
    "time.sleep(600)",
  ];
  const holder = spawn("python3", ["-c", hold.join("\n"), leased], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(holder.stdout, "data");
    const swap: Swap = (at) => [rmSync(at), linkSync(leased, at)];
    const trial = reads([undefined, "own=1\n"]);
    expect(await swapAtEach([["a leased file", swap]], trial)).toBeGreaterThan(4);
  } finally {
    holder.kill("SIGKILL");
  }
});

it.each([
  ["the directory of both", () => join(places.outDir, "own")],
  ["the journal", () => join(places.outDir, "own/journal")],
])("journal and logs are taken over as they were made, or not at all: %s", async (what, target) => {
  let made: bigint;
  const trial: Trial<unknown> = {
    async prepare() {
      made = await makeSupervisorPlaces(places);
      await appendFile(join(places.outDir, "own/journal"), "ready 7 7 sh\n");
    },
    targets: () => [target()],
    work: () =>
      createSupervisor(places, made).whenReady(() => Promise.resolve(false), new AbortController().signal),
    hold(result, error) {
      if (error === undefined) expect([null, { uid: 7, gid: 7, hasShell: true }]).toContainEqual(result);
      else if (!(error instanceof EngineError))
        expect(error).toMatchObject({ code: expect.stringMatching(/^ENO(ENT|TDIR)$/) });
    },
  };
  const all = swapsOn(ground, join(ground.outside, "file"));
  // For both, the same calls are made: of the directory, what is told apart is enough.
  const swaps = what === "the journal" || isFull ? all : all.filter(([name]) => turning.has(name));
  expect(await swapAtEach(swaps, trial)).toBeGreaterThan(swaps === all ? 100 : 30);
});

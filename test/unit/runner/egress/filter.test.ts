/** When the filter is written, where, and what becomes of jobs without it. */
import { expect, test } from "vitest";
import type { Answer } from "@forgeline/runner/egress/answers.ts";
import { createEgressFilter, type FilterDeps } from "@forgeline/runner/egress/filter.ts";
import type { Kernel } from "@forgeline/runner/egress/kernel.ts";
import type { Frame } from "@forgeline/runner/egress/netlink.ts";
import { openEgress, type EgressSettings } from "@forgeline/runner/egress/settings.ts";

const settings: EgressSettings = {
  ...openEgress,
  mode: "filter",
  allow: ["10.1.2.0/24"],
  serverUrl: "wss://127.0.0.1:8443",
};

const noConnlimit = "rule 2 of the chain begin: No such file or directory";
const noFib = "rule 1 of the chain sources: No such file or directory";

/** Keeps what is written to it: how many rules its table has, none without a table. */
class TestKernel implements Kernel {
  /** Of the tables that were written, one after the other. */
  readonly tables: number[] = [];
  rules = 0;
  canCount = true;
  canFollowSources = true;
  /** What it answers instead of doing anything. */
  refusal: string | null = null;
  /** What is seen with its next answer. */
  nameServers: readonly string[] = [];
  isOfSameDaemon = true;

  ask(frames: readonly Frame[]): Promise<Answer[]> {
    return Promise.resolve(frames.map((frame) => this.#answer(frame)));
  }

  resolvers = (): readonly string[] => (this.tables.length > 0 ? this.nameServers : []);

  isSame = (): Promise<boolean> => Promise.resolve(this.isOfSameDaemon);

  close(): void {
    this.rules += 0;
  }

  #answer({ asked }: Frame): Answer {
    if (this.refusal !== null) return { count: 0, refused: this.refusal };
    const what = [...asked.values()];
    if (what[0] === "the list of rules") return { count: this.rules, refused: null };
    if (!this.canCount && what.includes("the set open")) return { count: 0, refused: noConnlimit };
    if (!this.canFollowSources && what.includes("the chain sources")) return { count: 0, refused: noFib };
    this.rules = what.filter((each) => each.startsWith("rule ")).length;
    if (this.rules > 0) this.tables.push(this.rules);
    return { count: 0, refused: null };
  }
}

function open(more: Partial<FilterDeps> = {}) {
  const own = new TestKernel();
  const inContainer = new TestKernel();
  const warnings: string[] = [];
  const filter = createEgressFilter({
    runnerId: "rnr_1",
    settings,
    own,
    inContainer,
    isHere: () => Promise.resolve(true),
    hasInterface: () => true,
    answersNames: () => Promise.resolve(false),
    probe: () => Promise.resolve(null),
    onWarning: (line) => warnings.push(line),
    everyMs: { own: 1_000_000, inContainer: 1_000_000 },
    ...more,
  });
  return { own, inContainer, warnings, filter };
}

test("it is written once by the runner itself, where that may", async () => {
  const { filter, own, inContainer } = open();
  expect(await filter.start()).toEqual({ state: "filtered", reason: null, allow: ["10.1.2.0/24"] });
  await filter.start();
  await filter.ensure();
  expect([own.tables.length, inContainer.tables.length]).toEqual([1, 0]);
  await filter.close(true);
});

test("else by a container; where neither may, jobs run and the reasons are told", async () => {
  const first = open();
  first.own.refusal = "a table: Operation not permitted";
  expect((await first.filter.start()).state).toBe("filtered");
  expect(first.inContainer.tables).toHaveLength(1);
  await first.filter.close(true);
  const second = open();
  for (const kernel of [second.own, second.inContainer]) kernel.refusal = "a table: No such file";
  expect(await second.filter.start()).toMatchObject({
    state: "unfiltered",
    reason: "a table: No such file; a table: No such file",
  });
  await second.filter.ensure();
});

test("a kernel that cannot count connections gets the filter without their limit, which is told once", async () => {
  const { filter, own, warnings } = open();
  own.canCount = false;
  expect(await filter.start()).toMatchObject({ state: "filtered", reason: null });
  expect(warnings).toEqual([expect.stringContaining(`(nft_connlimit): ${noConnlimit}`)]);
  own.rules -= 1;
  await filter.ensure();
  filter.serverAt("https://10.7.7.7:9443");
  await filter.ensure();
  expect(own.tables).toHaveLength(3);
  expect(warnings).toEqual([expect.any(String), expect.stringContaining("installing it again")]);
  await filter.close(true);
});

test("one that cannot look for the way back to a source gets it without that too", async () => {
  const { filter, own, warnings } = open();
  own.canCount = false;
  own.canFollowSources = false;
  expect(await filter.start()).toMatchObject({ state: "filtered", reason: null });
  filter.serverAt("https://10.7.7.7:9443");
  await filter.ensure();
  expect(own.tables).toHaveLength(2);
  const told = [`(nft_fib_inet): ${noFib}`, `(nft_connlimit): ${noConnlimit}`];
  expect(warnings).toEqual(told.map((text) => expect.stringContaining(text)));
  await filter.close(true);
});

test("what else the kernel refuses is not tried without the limit", async () => {
  const { filter, own, inContainer } = open({ settings: { ...settings, mode: "required" } });
  for (const kernel of [own, inContainer]) kernel.refusal = "rule 1 of the chain out: No such file";
  await expect(filter.start()).rejects.toThrow("cannot be filtered: rule 1 of the chain out");
});

test("a runner that is not where the daemon is writes nothing in its own network", async () => {
  const { filter, own, inContainer } = open({ isHere: () => Promise.resolve(false) });
  await filter.start();
  expect([own.tables.length, inContainer.tables.length]).toEqual([0, 1]);
  await filter.close(true);
});

test("name servers that are first seen where the daemon is are open as well", async () => {
  const { filter, inContainer } = open({ isHere: () => Promise.resolve(false) });
  inContainer.nameServers = ["10.99.99.3", "127.0.0.53"];
  await filter.start();
  const [first = 0, second = 0] = inContainer.tables;
  // By UDP and TCP, past this machine and to it.
  expect([second - first, inContainer.tables.length]).toEqual([4, 2]);
  await filter.close(true);
});

test("with a daemon that was started again it is looked at before the next job", async () => {
  const { filter, inContainer, warnings } = open({ isHere: () => Promise.resolve(false) });
  await filter.start();
  inContainer.rules = 0;
  await filter.ensure();
  expect(inContainer.tables).toHaveLength(1);
  inContainer.isOfSameDaemon = false;
  await filter.ensure();
  expect(inContainer.tables).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining("installing it again")]);
  await filter.close(true);
});

test("where a filter is required and cannot be, the runner does not start", async () => {
  const { filter, own, inContainer } = open({ settings: { ...settings, mode: "required" } });
  for (const kernel of [own, inContainer]) kernel.refusal = "a table: No such file";
  await expect(filter.start()).rejects.toThrow("cannot be filtered: a table: No such file");
});

test("one that was left is removed by a runner that is to be open", async () => {
  const { filter, own } = open({ settings: { ...settings, mode: "open" } });
  own.rules = 9;
  expect(await filter.start()).toMatchObject({ state: "open" });
  expect(own.rules).toBe(0);
});

test("a part that is missing is installed again, with a warning; no job starts when that fails", async () => {
  const { filter, own, warnings } = open();
  await filter.start();
  own.rules -= 1;
  await filter.ensure();
  expect(own.tables).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining("installing it again")]);
  own.refusal = "a table: Operation not permitted";
  await expect(filter.ensure()).rejects.toMatchObject({
    code: "internal",
    message: expect.stringContaining("Operation not permitted"),
  });
  expect(await filter.start()).toEqual({
    state: "unfiltered",
    reason: expect.stringContaining("no job starts: a table: Operation not permitted"),
    allow: ["10.1.2.0/24"],
  });
  own.refusal = null;
  await filter.ensure();
  expect(await filter.start()).toMatchObject({ state: "filtered", reason: null });
  await filter.close(true);
});

test("a network that is elsewhere moves the filter there before anything uses it", async () => {
  const { filter, inContainer } = open({ hasInterface: (name) => name === "here" });
  await filter.start();
  await filter.bridgeMade("here");
  expect(inContainer.tables).toHaveLength(0);
  await filter.bridgeMade("elsewhere");
  expect(inContainer.tables).toHaveLength(1);
  await filter.close(true);
});

test("one that no job's packets meet counts as none, at the start and for a network that is elsewhere", async () => {
  const probe = () => Promise.resolve("nobody met it");
  const first = open({ isHere: () => Promise.resolve(false), probe });
  expect(await first.filter.start()).toMatchObject({ state: "unfiltered", reason: "nobody met it" });
  expect(first.inContainer.rules).toBe(0);
  await first.filter.ensure();
  const second = open({ hasInterface: () => false, probe });
  await second.filter.start();
  await expect(second.filter.bridgeMade("elsewhere")).rejects.toThrow("nobody met it");
  await expect(second.filter.ensure()).rejects.toThrow("nobody met it");
  expect(await second.filter.start()).toMatchObject({ state: "unfiltered" });
  await second.filter.close(true);
});

test("a job whose server is somewhere else waits until that is open; the same again changes nothing", async () => {
  const { filter, own } = open();
  await filter.start();
  const [before = 0] = own.tables;
  filter.serverAt("https://10.7.7.7:9443");
  await filter.ensure();
  expect(own.tables.at(-1)).toBeGreaterThan(before);
  filter.serverAt("https://10.7.7.7:9443");
  await filter.ensure();
  expect(own.tables).toHaveLength(2);
  await filter.close(true);
});

test("it stays while something of the runner is left, and goes with the last of it", async () => {
  const { filter, own } = open();
  await filter.start();
  await filter.close(false);
  expect(own.rules).toBeGreaterThan(0);
  await filter.close(true);
  expect(own.rules).toBe(0);
});

test("where the machine answers for names, jobs may ask it, and no network is closed", async () => {
  const plain = open();
  await plain.filter.start();
  expect(plain.filter.closes()).toEqual(["none", "proxy"]);
  const answering = open({ answersNames: () => Promise.resolve(true) });
  expect((await answering.filter.start()).state).toBe("filtered");
  expect(answering.filter.closes()).toEqual([]);
  expect(answering.own.rules).toBe(plain.own.rules + 2);
  for (const { filter } of [plain, answering]) await filter.close(true);
});

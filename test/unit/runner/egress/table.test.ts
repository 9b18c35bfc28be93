/** The filter's bytes, as the kernel understands them and the program `nft` shows them; in a network namespace of their own. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllowed } from "@forgeline/runner/egress/allow-list.ts";
import { divideConnections, shareOfTable } from "@forgeline/runner/egress/connection-limit.ts";
import { framesAsBytes, readAnswers } from "@forgeline/runner/egress/answers.ts";
import type { Frame } from "@forgeline/runner/egress/netlink.ts";
import { namesFor, type EgressPolicy } from "@forgeline/runner/egress/policy.ts";
import {
  lacksConnectionCounting,
  cannotFollowSources,
  listFrame,
  removeFrame,
  ruleCount,
  writeFrame,
} from "@forgeline/runner/egress/table.ts";
import { installInit } from "@forgeline/runner/init/program.ts";
import { needs } from "../../../support/programs/needs.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const policy: EgressPolicy = {
  ...namesFor("rnr_1"),
  allow: ["10.1.2.0/24", "10.9.8.7:5432", "[fd00::1]:443"].flatMap((text) => parseAllowed(text) ?? []),
  servers: [{ address: "10.0.0.9", port: 8443 }],
  localServerPorts: [443],
  localServerAddresses: ["192.168.1.2"],
  resolvers: ["10.255.255.53"],
  hostAddresses: ["44.3.2.1"],
  connections: divideConnections(65_536),
  checksSources: true,
  answersNames: false,
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-egress-"));
});
afterAll(() => rm(directory, { recursive: true }));

/** What is printed when the frames are sent, then the script is run, in a network that nobody else has. */
async function inOwnNetwork(frames: readonly Frame[], script: string): Promise<string> {
  const file = join(directory, "frames");
  await writeFile(file, framesAsBytes(frames));
  const whole = `${await installInit(directory)} netfilter ${file}; ${script}`;
  return (await run("unshare", ["--net", "sh", "-c", whole])).stdout;
}

// Only root has the packet filter of a new network.
describe.runIf(isRoot)("the kernel", () => {
  test("takes the table, replaces and removes it, and counts its rules", async () => {
    const list = listFrame(policy.table);
    const frames = [
      list,
      writeFrame(policy),
      list,
      writeFrame(policy),
      list,
      removeFrame(policy.table),
      list,
    ];
    const answers = readAnswers(await inOwnNetwork(frames, ":"), frames);
    const all = ruleCount(policy);
    expect(answers.map(({ count }) => count)).toEqual([0, 0, all, 0, all, 0, 0]);
    expect(answers.map(({ refused }) => refused)).toEqual(answers.map(() => null));
  });

  test("refuses all of a transaction in words when it refuses a part", async () => {
    const wrong = writeFrame({ ...policy, bridgePrefix: "x".repeat(40) });
    const [answer] = readAnswers(await inOwnNetwork([wrong], ":"), [wrong]);
    expect(answer?.refused).toMatch(/^rule \d+ of the chain \w+: /);
  });

  test.each([
    { word: "connlimit", isSeen: lacksConnectionCounting, less: { connections: null }, rules: 2 },
    { word: "fib\0", isSeen: cannotFollowSources, less: { checksSources: false }, rules: 1 },
  ])("is recognised where it has no $word, and takes the table without", async (lacking) => {
    const asked = writeFrame(policy);
    const without = writeFrame({ ...policy, ...lacking.less });
    // A kernel without the module does not know the word.
    const unknown = lacking.word.replace("i", "x");
    const bytes = Buffer.from(asked.bytes.toString("latin1").replace(lacking.word, unknown), "latin1");
    const frames = [{ ...asked, bytes }, without, listFrame(policy.table)];
    const answers = readAnswers(await inOwnNetwork(frames, ":"), frames);
    const seen = answers.map(({ refused }) => refused !== null && lacking.isSeen(refused));
    expect(seen).toEqual([true, false, false]);
    expect(answers[2]?.count).toBe(ruleCount(policy) - lacking.rules);
  });

  test("reads the rules as they are meant", async () => {
    needs("nft");
    const text = await inOwnNetwork([writeFrame(policy)], `nft list table inet ${policy.table}`);
    expect(text.slice(text.indexOf("table"))).toMatchSnapshot();
  });
});

test.each([
  [262_144, 2, 65_536],
  [262_144, 4, 32_768],
  [4_000_000, 2, 65_536],
  [65_536, 64, 4_096],
])("of a table of %i, each of %i jobs has %i", (table, capacity, share) => {
  expect(shareOfTable(table, capacity)).toBe(share);
});

test.each([4_096, 65_536, 1_000_000])("a job's %i connections are not exceeded in two minutes", (all) => {
  const { open, atOnce, perSecond } = divideConnections(all);
  expect(open + atOnce + 120 * perSecond).toBeLessThanOrEqual(all);
  expect(open + atOnce + 120 * perSecond).toBeGreaterThan(all * 0.95);
});

test("answers that are missing are an error", () => {
  expect(() => readAnswers("error 0 1 Operation not permitted\n", [listFrame("x")])).toThrow(
    "Operation not permitted",
  );
});

/** Row R3 of reliability.md, small: whatever the network between runner and server does, no line is lost or doubled. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import type { FaultMode } from "../../support/fault-proxy.ts";
import type { LinesRun } from "../../support/lines-pipeline.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { restore, sharedFaultBed, type SharedFaultBed } from "../../support/shared-fault-bed.ts";

let bed: SharedFaultBed;
beforeAll(async () => {
  bed = await sharedFaultBed();
});
afterEach(() => restore(bed));

const begin = (count = 800) => bed.begin({ count, perPause: 20 });

async function endsFlawless(run: LinesRun): Promise<void> {
  const judgement = await bed.judge(run);
  expect(judgement.problems).toEqual([]);
  expect(judgement.attempts).toBe(1);
}

/** Sets the mode until `bites` more connections were accepted or cut by it. */
async function until(mode: FaultMode, what: "accepted" | "cut", bites: number): Promise<void> {
  const before = bed.proxy.counts()[what];
  bed.proxy.set(mode);
  await eventually(() => bed.proxy.counts()[what] >= before + bites, { timeoutMs: 30_000 });
}

describe("a connection", () => {
  it("that is cut after any number of bytes", async () => {
    const random = seededRandom(3);
    const run = await bed.begin({ count: 3000, perPause: 20 });
    // The handshake takes some 3,000 bytes: the small ones end inside it, the others inside frames.
    const sizes = [1 + random() * 400, 3500 + random() * 3000, 8000 + random() * 6000].map(Math.floor);
    for (const bytes of sizes) {
      bed.proxy.cut();
      await until({ name: "limit", bytes }, "cut", 2);
      bed.proxy.set({ name: "pass" });
    }
    await endsFlawless(run);
  });

  it("that is reset again and again, and then refused for some time", async () => {
    const run = await begin(1600);
    for (let cuts = 0; cuts < 5; cuts++) {
      await eventually(() => bed.proxy.counts().open > 0, { timeoutMs: 30_000 });
      expect(bed.proxy.cut(), "void: nothing was open").toBeGreaterThan(0);
    }
    await until({ name: "down" }, "accepted", 3);
    bed.proxy.set({ name: "pass" });
    await endsFlawless(run);
  });

  it("that lives and says nothing, and new ones that are accepted and say nothing; then one that brings no acknowledgements", async () => {
    const run = await begin(1600);
    const { bytesUp } = bed.proxy.counts();
    // The runner gives up the silent connection by itself, and then a new one in its handshake.
    await until({ name: "hang" }, "accepted", 1);
    expect(bed.proxy.counts().bytesUp, "void: bytes passed").toBe(bytesUp);
    const seen = await bed.linesSeen(run);
    bed.proxy.set({ name: "pass" });
    await eventually(async () => (await bed.linesSeen(run)) > seen, { timeoutMs: 30_000 });
    const { bytesDown } = bed.proxy.counts();
    // What the runner says arrives.
    await until({ name: "hang", only: "down" }, "accepted", 1);
    expect(bed.proxy.counts().bytesDown, "void: bytes passed").toBe(bytesDown);
    bed.proxy.set({ name: "pass" });
    await endsFlawless(run);
  });

  it("that is very slow", async () => {
    const run = await begin();
    const { bytesUp } = bed.proxy.counts();
    bed.proxy.set({ name: "rate", bytesPerSecond: 5000 });
    await eventually(() => bed.proxy.counts().bytesUp > bytesUp + 2000, { timeoutMs: 30_000 });
    bed.proxy.set({ name: "pass" });
    await endsFlawless(run);
  });
});

import { describe, expect, it } from "vitest";
import { createPace } from "@forgeline/server/platform/git/processes/pace.ts";

/** A thousand bytes a second, ten seconds of grace, and a clock that a test moves. */
function paceAt() {
  let at = 0;
  const pace = createPace({ minBytesPerSecond: 1_000, graceMs: 10_000 }, () => at);
  return { pace, pass: (ms: number) => (at += ms) };
}

describe("the pace of a client", () => {
  it("is slow when its turn has taken longer than the grace, without a byte", () => {
    const { pace, pass } = paceAt();
    pace.wait();
    pass(10_000);
    expect(pace.behindMs()).toBe(0);
    pass(1);
    expect(pace.behindMs()).toBe(1);
  });

  it("does not count the time that is ours", () => {
    const { pace, pass } = paceAt();
    const arrived = pace.wait();
    pass(6_000);
    arrived();
    pass(3_600_000);
    expect(pace.behindMs()).toBe(0);
    pace.wait();
    pass(5_000);
    expect(pace.behindMs()).toBe(1_000);
  });

  it("goes on for ever at the least speed, and ends a little below it", () => {
    for (const [bytes, isSlow] of [
      [1_000, false],
      [900, true],
    ] as const) {
      const { pace, pass } = paceAt();
      pace.wait();
      for (let second = 0; second < 1_000; second += 1) {
        pass(1_000);
        pace.moved(bytes);
      }
      pass(500);
      expect(pace.behindMs() > 0).toBe(isSlow);
    }
  });

  it("keeps nothing of what was fast before, beyond the grace", () => {
    const { pace, pass } = paceAt();
    pace.wait();
    pace.moved(1_000_000_000);
    pass(11_000);
    expect(pace.behindMs()).toBe(1_000);
  });

  it("recovers from a silence, however long, by being fast again", () => {
    const { pace, pass } = paceAt();
    pace.wait();
    pass(3_600_000);
    pace.moved(59_000);
    expect(pace.behindMs()).toBe(1_000);
    pace.moved(2_000);
    expect(pace.behindMs()).toBe(0);
  });

  it("counts turns that overlap once, and each end once", () => {
    const { pace, pass } = paceAt();
    const [reads, writes] = [pace.wait(), pace.wait()];
    pass(5_000);
    reads();
    reads();
    pass(4_000);
    expect(pace.behindMs()).toBe(0);
    writes();
    pass(60_000);
    expect(pace.behindMs()).toBe(0);
  });

  it("waits for a push on which Git works, whether or not the client has said that it has sent all", () => {
    const { pace, pass } = paceAt();
    pace.wait();
    for (let times = 0; times < 100; times += 1) {
      pass(5_000);
      pace.worked();
      expect(pace.behindMs()).toBe(0);
    }
    pass(11_000);
    expect(pace.behindMs()).toBe(1_000);
  });
});

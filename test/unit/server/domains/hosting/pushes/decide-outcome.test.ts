import { describe, expect, it } from "vitest";
import { checkRefUpdates } from "@forgeline/server/domains/hosting/pushes/check-ref-updates.ts";
import type { RefUpdate } from "@forgeline/server/platform/git/refs/ref-update.ts";
import { appliedUpdates } from "@forgeline/server/domains/hosting/pushes/decide-outcome.ts";

const [zero, a, b, c] = ["0", "a", "b", "c"].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const main = (before: string, after: string) => ({ ref: "refs/heads/main", before, after });
const now = (id: string) => new Map([["refs/heads/main", id]]);

const recorded = (...updates: RefUpdate[]) => ({ updates, isRecorded: true, isLater: true });
const laterOpen = (...updates: RefUpdate[]) => ({ updates, isRecorded: false, isLater: true });
const earlierOpen = (...updates: RefUpdate[]) => ({ updates, isRecorded: false, isLater: false });

describe("an intent has happened", () => {
  it("when the ref is what it wanted, also gone", () => {
    expect(appliedUpdates([main(a, b)], now(b), [])).toHaveLength(1);
    expect(appliedUpdates([main(a, zero)], now(zero), [])).toHaveLength(1);
  });
  it("when a later push found the ref so", () => {
    for (const other of [recorded, laterOpen])
      expect(appliedUpdates([main(a, b)], now(c), [other(main(b, c))])).toHaveLength(1);
  });
  it("not when the ref is still as before, or went elsewhere from there", () => {
    expect(appliedUpdates([main(a, b)], now(a), [])).toEqual([]);
    expect(appliedUpdates([main(a, b)], now(c), [recorded(main(a, c))])).toEqual([]);
  });
  it("not when another push made the same move", () => {
    expect(appliedUpdates([main(a, b)], now(b), [recorded(main(a, b))])).toEqual([]);
    expect(appliedUpdates([main(a, b)], now(b), [laterOpen(main(a, b))])).toEqual([]);
    expect(appliedUpdates([main(a, zero)], now(zero), [recorded(main(a, zero))])).toEqual([]);
  });
  it("not when another one made the same move, and others went on from there and back", () => {
    const others = [main(a, b), main(b, c), main(c, b)].map((update) => recorded(update));
    expect(appliedUpdates([main(a, b)], now(b), others)).toEqual([]);
  });
  it("when the ref has come there once more than the others made it", () => {
    const others = [main(a, b), main(b, a)].map((update) => recorded(update));
    expect(appliedUpdates([main(a, b)], now(b), others)).toHaveLength(1);
  });
  it("not yet known while an earlier push may have made the move", () => {
    expect(appliedUpdates([main(a, b)], now(b), [earlierOpen(main(a, b))])).toBeUndefined();
    expect(appliedUpdates([main(a, b)], now(a), [earlierOpen(main(a, b))])).toEqual([]);
  });
  it("never for the removal of a ref that was not there", () => {
    expect(appliedUpdates([main(zero, zero)], now(zero), [])).toEqual([]);
  });
  it("ref by ref", () => {
    const side = { ref: "refs/heads/side", before: zero, after: c };
    expect(appliedUpdates([main(a, b), side], new Map([...now(b), ["refs/heads/side", zero]]), [])).toEqual([
      main(a, b),
    ]);
  });
});

describe("judgeUpdates", () => {
  const judge = (ref: string, after = a) => checkRefUpdates([{ ref, before: zero, after }], "main");
  it("lets ordinary names pass", () => {
    for (const ref of [
      "refs/heads/main",
      "refs/heads/a/b",
      "refs/tags/v1.0",
      "refs/notes/commits",
      "refs/heads/$(x)",
    ])
      expect([ref, ...judge(ref)]).toEqual([ref]);
  });
  it("judges each line and names the bad ones", () => {
    const bad = [
      "HEAD",
      "refs/heads/--exec=x",
      "refs/tags/-d",
      "refs/internal/a",
      "refs/internal",
      "refs/merge-requests/1/head",
      `refs/heads/${a}`,
      "refs/heads/refs/heads/x",
      "refs/heads/HEAD",
      "refs/heads/a..b",
    ];
    const good = { ref: "refs/heads/good", before: zero, after: a };
    const lines = checkRefUpdates([good, ...bad.map((ref) => ({ ref, before: zero, after: a }))], "main");
    expect(lines.map((line) => line.slice(0, line.indexOf(": ")))).toEqual(bad);
  });
  it("keeps the default branch, and lets others go", () => {
    expect(judge("refs/heads/main", zero)).toHaveLength(1);
    expect(judge("refs/heads/side", zero)).toEqual([]);
  });
});

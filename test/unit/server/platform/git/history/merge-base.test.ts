import { expect, it } from "vitest";
import { mergeBase } from "@forgeline/server/platform/git/history/merge-base.ts";

type History = ReadonlyMap<string, readonly string[]>;

function readHere(history: History, left: string, right: string) {
  return mergeBase(
    {
      runGit: () => Promise.reject(new Error("nothing is to be started")),
      directory: "/nonexistent",
      parentsOf: (sha) => Promise.resolve(history.get(sha)),
      mayStart: false,
    },
    left,
    right,
  );
}

function ancestors(history: History, from: string, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found;
  found.add(from);
  for (const parent of history.get(from) ?? []) ancestors(history, parent, found);
  return found;
}

/** Every commit that both reach and that none of the others reaches. */
function bestCommon(history: History, left: string, right: string): string[] {
  const ofRight = ancestors(history, right);
  const common = [...ancestors(history, left)].filter((each) => ofRight.has(each));
  return common.filter((each) =>
    common.every((other) => other === each || !ancestors(history, other).has(each)),
  );
}

/** The same numbers at each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

it("is the best common ancestor, or not told without Git, in random histories", async () => {
  const roll = dice(7);
  let told = 0;
  for (let round = 0; round < 2_000; round++) {
    const history = new Map<string, readonly string[]>();
    for (let n = 0; n < 12; n++) {
      const older = () => String(Math.max(0, n - 1 - roll(4)));
      const parents = n === 0 || roll(12) === 0 ? [] : roll(5) === 0 ? [older(), older()] : [older()];
      history.set(String(n), [...new Set(parents)]);
    }
    const [left, right] = [String(roll(12)), String(roll(12))];
    const base = await readHere(history, left, right).catch(() => "not told");
    if (base === "not told") continue;
    told += 1;
    expect([round, base === undefined ? [] : [base]]).toEqual([round, bestCommon(history, left, right)]);
  }
  expect(told).toBeGreaterThan(1_000);
});

it("is not told of histories that part long ago, or that are not there", async () => {
  const long = new Map(Array.from({ length: 200 }, (_, n) => [String(n), n === 0 ? [] : [String(n - 1)]]));
  expect(await readHere(long, "150", "199")).toBe("150");
  await expect(readHere(new Map([...long, ["side", ["0"]]]), "side", "199")).rejects.toThrow("process");
  await expect(readHere(long, "absent", "199")).rejects.toThrow("process");
});

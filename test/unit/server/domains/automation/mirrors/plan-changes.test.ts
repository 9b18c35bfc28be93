/** What a sync changes, from the refs here and there. */
import { expect, test } from "vitest";
import { inSteps, planChanges } from "@forgeline/server/domains/automation/mirrors/plan-changes.ts";
import { createRefFilter, readPatterns } from "@forgeline/server/domains/automation/mirrors/ref-patterns.ts";

const zero = "0".repeat(40);
const [a, b] = ["a".repeat(40), "b".repeat(40)];
const everything = { follows: () => true, prune: true, problemWith: () => undefined };

test("creations, updates and deletions, by name; nothing where both are alike", () => {
  const here = new Map([
    ["refs/heads/gone", a],
    ["refs/heads/main", a],
    ["refs/heads/same", a],
  ]);
  const there = new Map([
    ["refs/heads/same", a],
    ["refs/heads/main", b],
    ["refs/heads/added", b],
  ]);
  expect(planChanges(here, there, everything).updates).toEqual([
    { ref: "refs/heads/added", before: zero, after: b },
    { ref: "refs/heads/gone", before: a, after: zero },
    { ref: "refs/heads/main", before: a, after: b },
  ]);
  expect(planChanges(here, here, everything).updates).toEqual([]);
  const kept = planChanges(here, there, { ...everything, prune: false });
  expect(kept.updates.map(({ ref }) => ref)).toEqual(["refs/heads/added", "refs/heads/main"]);
});

test("what is not followed is neither taken nor deleted, and what is not allowed is said", () => {
  const follows = createRefFilter(readPatterns(["main"]));
  const problemWith = (ref: string) => (ref.endsWith("bad") ? "not here" : undefined);
  const plan = planChanges(
    new Map([["refs/heads/own", a]]),
    new Map([
      ["refs/heads/main", a],
      ["refs/heads/other", a],
    ]),
    { follows, prune: true, problemWith },
  );
  expect(plan.updates.map(({ ref }) => ref)).toEqual(["refs/heads/main"]);
  const many = new Map(Array.from({ length: 30 }, (_, index) => [`refs/heads/${index}bad`, a]));
  const { notes, updates } = planChanges(new Map(), many, { ...everything, problemWith });
  expect([updates.length, notes.length, notes.at(-1)]).toEqual([0, 21, "10 more refs were left out."]);
});

test("a deletion that is in the way of a creation goes first", () => {
  const gone = { ref: "refs/heads/a", before: a, after: zero };
  const made = { ref: "refs/heads/a/b", before: zero, after: b };
  const other = { ref: "refs/heads/c", before: a, after: zero };
  expect(inSteps([gone, made, other])).toEqual([[gone], [made, other]]);
  const back = [
    { ref: "refs/heads/a", before: zero, after: a },
    { ref: "refs/heads/a/b", before: b, after: zero },
  ];
  expect(inSteps(back)).toEqual([[back[1]], [back[0]]]);
  expect(inSteps([other])).toEqual([[other]]);
  expect(inSteps([])).toEqual([]);
});

test.each<[string[], string, boolean]>([
  [["refs/heads/*"], "refs/heads/a/b", true],
  [["refs/heads/*"], "refs/tags/a", false],
  [["main"], "refs/heads/main", true],
  [["main"], "refs/heads/main2", false],
  [["release/*-rc"], "refs/heads/release/1-rc", true],
  [["release/*-rc"], "refs/heads/release/-rc", true],
  [["a*a"], "refs/heads/a", false],
  [["*", "^wip/*"], "refs/heads/wip/x", false],
  [["refs/*"], "refs/internal/kept/x", false],
  [["refs/*"], "refs/merge-requests/1", false],
  [["refs/*"], "refs/pull/1/head", true],
])("%j takes %s: %s", (patterns, ref, taken) => {
  expect(createRefFilter(readPatterns(patterns))(ref)).toBe(taken);
});

test.each(["a**", "a b", "^x", "refs/", "../x", "a..b", "a:b", ".lock/x", "x\n"])(
  "%j is no pattern",
  (pattern) => {
    expect(() => readPatterns([pattern])).toThrow(expect.objectContaining({ code: "validation_failed" }));
  },
);

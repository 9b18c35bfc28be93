import { expect, it } from "vitest";
import { differences } from "@forgeline/server/domains/hosting/pushes/ref-records.ts";

const [zero, a, b] = ["0".repeat(40), "a".repeat(40), "b".repeat(40)];

it("names what moved, came and went since the record, and nothing else", () => {
  const recorded = new Map([
    ["refs/heads/gone", a],
    ["refs/heads/moved", a],
    ["refs/heads/same", a],
    ["refs/heads/deleted", zero],
  ]);
  const now = new Map([
    ["refs/heads/came", b],
    ["refs/heads/moved", b],
    ["refs/heads/same", a],
  ]);
  expect(differences(recorded, now)).toEqual([
    { ref: "refs/heads/came", before: zero, after: b },
    { ref: "refs/heads/gone", before: a, after: zero },
    { ref: "refs/heads/moved", before: a, after: b },
  ]);
  expect(differences(new Map(), new Map())).toEqual([]);
});

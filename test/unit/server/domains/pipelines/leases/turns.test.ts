/** Who had a turn lately, as a server remembers it. */
import { expect, it } from "vitest";
import { createTurns, longestWaitEvery } from "@forgeline/server/domains/pipelines/leases/turns.ts";

const offer = (ownerId: string | null, repositoryId: string) => ({ ownerId, repositoryId });

it("remembers the order of turns, of owners and repositories", () => {
  const turns = createTurns();
  expect(turns.next("")).toEqual({ recent: {}, longestWait: false });
  turns.served("", offer("usr_a", "repo_1"));
  turns.served("", offer("usr_b", "repo_2"));
  turns.served("", offer("usr_a", "repo_3"));
  turns.served("", offer(null, "repo_4"));
  expect(turns.next("").recent).toEqual({ usr_a: 3, usr_b: 2, repo_1: 1, repo_2: 2, repo_3: 3, repo_4: 4 });
});

it("keeps those of each organization's runners apart", () => {
  const turns = createTurns();
  turns.served("org_a", offer("org_a", "repo_1"));
  expect(turns.next("").recent).toEqual({});
  expect(turns.next("org_a").recent).toEqual({ org_a: 1, repo_1: 1 });
});

it("gives one offer in sixteen to whoever has waited longest", () => {
  const turns = createTurns();
  const longest: number[] = [];
  for (let n = 1; n <= 3 * longestWaitEvery; n++) {
    if (turns.next("").longestWait) longest.push(n);
    turns.served("", offer("usr_a", "repo_1"));
  }
  expect(longest).toEqual([16, 32, 48]);
});

it("forgets what is long ago, so that its memory stays small", () => {
  const turns = createTurns();
  for (let n = 0; n < 300; n++) turns.served("", offer(`usr_${n}`, `repo_${n}`));
  const { recent } = turns.next("");
  expect(Object.keys(recent)).toHaveLength(128);
  expect(recent).toMatchObject({ usr_299: 300, repo_236: 237 });
  for (let n = 0; n < 1_001; n++) turns.served(`org_${n}`, offer("o", "r"));
  expect(turns.next("").recent).toEqual({});
  expect(turns.next("org_1000").recent).toEqual({ o: 1, r: 1 });
});

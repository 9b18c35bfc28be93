/** Whose rights a run has when its jobs start other pipelines. */
import { expect, test } from "vitest";
import { childActor, startsOf } from "@forgeline/server/domains/pipelines/runs/child-actor.ts";
import { anonymousActor, systemActor, type Actor } from "@forgeline/server/platform/access/actor.ts";

const ada: Actor = {
  ...anonymousActor,
  kind: "user",
  userId: "usr_a",
  username: "ada",
  scopes: ["repo:write", "pipeline:write"],
};
const key = {
  id: "key_a",
  repositoryId: "repo_a",
  permission: "write" as const,
  addedBy: { id: "usr_a", username: "ada" },
};

test.each<[string, Actor, { userId: string | null; elsewhere: boolean }]>([
  ["a person", ada, { userId: "usr_a", elsewhere: true }],
  ["a bot", { ...ada, kind: "bot" }, { userId: "usr_a", elsewhere: true }],
  [
    "a token for one repository",
    { ...ada, repositoryIds: ["repo_a"] },
    { userId: "usr_a", elsewhere: false },
  ],
  ["a token without pipelines", { ...ada, scopes: ["repo:write"] }, { userId: "usr_a", elsewhere: false }],
  ["a deploy key", { ...ada, deployKey: key }, { userId: "usr_a", elsewhere: false }],
  ["the system", systemActor, { userId: null, elsewhere: false }],
])("%s", (_, actor, starts) => expect(startsOf(actor)).toEqual(starts));

test("an actor of a job is limited as the run was, and nobody stays nobody", () => {
  const limits = { repositoryId: "repo_a", elsewhere: false };
  const person = { id: "usr_a", username: "ada" };
  expect(childActor(person, limits)).toMatchObject({ userId: "usr_a", repositoryIds: ["repo_a"] });
  expect(childActor(person, { ...limits, elsewhere: true }).repositoryIds).toBeNull();
  expect(childActor(null, limits)).toBe(anonymousActor);
});

import { expect, test } from "vitest";
import { makeEvent, type EventSource } from "@forgeline/server/domains/pipelines/runs/make-event.ts";

const person = { name: "Ada", email: "ada@example.com", date: "2026-11-20T10:00:00.000Z" };

function eventOf(message: string, changedPaths: string[] | null, date = person.date) {
  const committer = { ...person, date };
  const commit = { sha: "a".repeat(40), message, author: person, committer } as unknown;
  const source = {
    name: "push",
    ref: "refs/heads/main",
    commit,
    beforeSha: null,
    actor: "ada",
    changedPaths,
  };
  const repository = { owner: "ada", name: "code", defaultBranch: "main" };
  return makeEvent({ ...source, repository } as EventSource);
}

test("a message that one variable could not hold is cut, and paths that are too much are unknown", () => {
  expect(eventOf("Fix it", ["a/b", "c"])).toMatchObject({
    commitMessage: "Fix it",
    changedPaths: ["a/b", "c"],
  });
  const long = eventOf("€".repeat(1_000_000), ["x".repeat(600_000)]);
  expect(Buffer.byteLength(`CI_COMMIT_MESSAGE=${long.commitMessage}`)).toBeLessThan(128 * 1024);
  expect(long.commitMessage).toMatch(/^€+…$/);
  expect(long.changedPaths).toBeNull();
});

test("the time of a commit is told only where it can be true", () => {
  expect(eventOf("x", null).committedAt).toBe(person.date);
  for (const date of [
    "1970-01-01T00:00:00.000Z",
    "+012345-01-01T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z",
  ])
    expect(eventOf("x", null, date)).not.toHaveProperty("committedAt");
});

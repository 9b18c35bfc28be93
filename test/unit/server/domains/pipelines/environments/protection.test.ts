import { describe, expect, test } from "vitest";
import { refusalOf, withDefaults } from "@forgeline/server/domains/pipelines/environments/protection.ts";
import { EnvironmentPut } from "@forgeline/schemas/environments/resource.ts";

const main = { branch: "main", tag: null };
const tagged = { branch: null, tag: "v1" };
const at = (branches: string[], tags: string[] = []) => ({ name: "production", branches, tags });

describe("a run", () => {
  test.each([
    [at([]), main, null],
    [at([]), tagged, null],
    [at(["main"]), main, null],
    [at(["main"]), tagged, "limited to branch main; this run is of tag v1."],
    [at(["release/*"], ["v*"]), tagged, null],
    [at(["release/*"], ["v*"]), main, "limited to branch release/* and tag v*; this run is of branch main."],
    [at(["**", "!main"]), main, "limited to the branches **, !main; this run is of branch main."],
  ])("at %o, of %o", (protection, event, said) => {
    expect(refusalOf(protection, event, "own") ?? "may deploy").toContain(said ?? "may deploy");
  });

  test("of a fork never deploys", () => {
    expect(refusalOf(at([]), main, "fork")).toBe("Runs of forks may not deploy.");
    expect(refusalOf(at([]), main, "unknown_author")).toBeNull();
  });
});

test("who says who may approve wants one of them to approve", () => {
  const count = (protection: object) => withDefaults(EnvironmentPut.parse({ protection }).protection).count;
  expect(count({})).toBe(0);
  expect(count({ approvers: ["ada"] })).toBe(1);
  expect(count({ approvers: ["acme/release"], count: 3 })).toBe(3);
  expect(count({ count: 2 })).toBe(2);
  expect(count({ level: "maintain" })).toBe(1);
  expect(count({ level: "admin", approvers: ["ada"], count: 2 })).toBe(2);
  expect(EnvironmentPut.safeParse({ protection: { approvers: ["ada", "ADA"], count: 2 } }).success).toBe(
    false,
  );
  expect(EnvironmentPut.parse({}).protection).toMatchObject({ branches: [], allow_self: true });
});

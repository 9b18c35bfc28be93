/** Which level wins, what a run may have in all, and where each variable comes from. */
import { describe, expect, test } from "vitest";
import {
  givenVariables,
  listRunVariables,
  mergeVariables,
  tooMuch,
  type SetVariable,
} from "@forgeline/server/domains/pipelines/variables/run-variables.ts";

const set = (level: SetVariable["level"], name: string, value = `of ${level}`): SetVariable => ({
  level,
  name,
  value,
});

describe("precedence", () => {
  test("given to the run, repository, organization, instance", () => {
    const all = [
      set("repository", "A"),
      set("instance", "A"),
      set("organization", "A"),
      set("organization", "B"),
      set("instance", "B"),
      set("instance", "C"),
      set("repository", "D"),
      set("instance", "constructor"),
    ];
    const merged = mergeVariables(all, { D: "given" });
    expect(merged).toEqual({
      variables: {
        A: "of repository",
        B: "of organization",
        C: "of instance",
        constructor: "of instance",
        D: "given",
      },
      variableLevels: { A: "repository", B: "organization", C: "instance", constructor: "instance" },
    });
    expect(givenVariables(merged)).toEqual({ D: "given" });
    expect(listRunVariables(merged).map(({ name, level }) => [name, level])).toEqual([
      ["A", "repository"],
      ["B", "organization"],
      ["C", "instance"],
      ["D", "run"],
      ["constructor", "instance"],
    ]);
  });

  test("a run of before there were levels was given all that it has", () => {
    expect(listRunVariables({ variables: { A: "1" } })).toEqual([{ name: "A", value: "1", level: "run" }]);
    expect(givenVariables({ variables: { A: "1" } })).toEqual({ A: "1" });
    expect(tooMuch({ variables: { A: "1" } })).toBeNull();
  });
});

describe("the bound", () => {
  const kib = 1024;
  test("counts names and values as the environment does, in bytes", () => {
    const exactly = mergeVariables([set("instance", "A", "x".repeat(64 * kib - 3))], {});
    expect(tooMuch(exactly)).toBeNull();
    const more = mergeVariables([set("instance", "A", "x".repeat(64 * kib - 2))], {});
    expect(tooMuch(more)).toMatch("65537 bytes together (instance 65537); at most 65536");
    const umlauts = mergeVariables([set("instance", "A", "ü".repeat(32 * kib))], {});
    expect(tooMuch(umlauts)).not.toBeNull();
  });
  test("tells how much comes from where", () => {
    const merged = mergeVariables([set("instance", "A", "x".repeat(40 * kib))], { B: "y".repeat(40 * kib) });
    expect(tooMuch(merged)).toContain("(instance 40963, run 40963)");
  });
  test("what is replaced does not count", () => {
    const merged = mergeVariables([set("instance", "A", "x".repeat(60 * kib))], { A: "y".repeat(60 * kib) });
    expect(tooMuch(merged)).toBeNull();
  });
});

import { describe, expect, test } from "vitest";
import { nameFromRemote, parseRepository } from "@forgeline/cli/connection/repository.ts";

describe("nameFromRemote", () => {
  const server = "https://git.example.com:8443";
  test.each([
    ["https://git.example.com:8443/ada/engine.git", { owner: "ada", repo: "engine" }],
    ["https://token@git.example.com:8443/ada/engine", { owner: "ada", repo: "engine" }],
    ["https://git.example.com/ada/engine.git", undefined],
    ["https://evil.example.com:8443/ada/engine.git", undefined],
    ["git@git.example.com:ada/engine.git", undefined],
    ["https://git.example.com:8443/ada/engine/extra.git", undefined],
  ])("%s", (remote, name) => expect(nameFromRemote(remote, server)).toEqual(name));
});

test("a repository is OWNER/NAME and nothing else", () => {
  expect(parseRepository("ada/engine")).toEqual({ owner: "ada", repo: "engine" });
  for (const wrong of ["ada", "ada/", "/engine", "a/b/c", ""])
    expect(() => parseRepository(wrong)).toThrow("OWNER/NAME");
});

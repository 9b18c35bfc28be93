import { expect, test } from "vitest";
import { chooseEviction } from "@forgeline/server/edges/git-ssh/choose-eviction.ts";

const of = (blocks: string) => blocks.split("").map((block, place) => ({ block, place }));

test("the oldest of the address that has most makes room, but not for its own", () => {
  expect(chooseEviction(of("abbab"), "c")).toEqual({ block: "b", place: 1 });
  expect(chooseEviction(of("abbab"), "a")).toEqual({ block: "b", place: 1 });
  expect(chooseEviction(of("abbab"), "b")).toBeUndefined();
  expect(chooseEviction(of("aabb"), "c")).toEqual({ block: "a", place: 0 });
  expect(chooseEviction(of("ab"), "b")).toBeUndefined();
  expect(chooseEviction([], "a")).toBeUndefined();
});

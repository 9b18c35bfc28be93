import { expect, test } from "vitest";
import { oldestOfBusiestAddress } from "@forgeline/server/edges/git-ssh/choose-eviction.ts";

const of = (blocks: string) => blocks.split("").map((block, place) => ({ block, place }));

test("the oldest of the address that has most makes room, but not for its own", () => {
  expect(oldestOfBusiestAddress(of("abbab"), "c")).toEqual({ block: "b", place: 1 });
  expect(oldestOfBusiestAddress(of("abbab"), "a")).toEqual({ block: "b", place: 1 });
  expect(oldestOfBusiestAddress(of("abbab"), "b")).toBeUndefined();
  expect(oldestOfBusiestAddress(of("aabb"), "c")).toEqual({ block: "a", place: 0 });
  expect(oldestOfBusiestAddress(of("ab"), "b")).toBeUndefined();
  expect(oldestOfBusiestAddress([], "a")).toBeUndefined();
});

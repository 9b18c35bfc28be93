import { expect, test } from "vitest";
import { strangerToEnd } from "@forgeline/server/edges/git-ssh/strangers.ts";

const of = (blocks: string) => blocks.split("").map((block, place) => ({ block, place }));

test("the oldest of the address that has most makes room, but not for its own", () => {
  expect(strangerToEnd(of("abbab"), "c")).toEqual({ block: "b", place: 1 });
  expect(strangerToEnd(of("abbab"), "a")).toEqual({ block: "b", place: 1 });
  expect(strangerToEnd(of("abbab"), "b")).toBeUndefined();
  expect(strangerToEnd(of("aabb"), "c")).toEqual({ block: "a", place: 0 });
  expect(strangerToEnd(of("ab"), "b")).toBeUndefined();
  expect(strangerToEnd([], "a")).toBeUndefined();
});

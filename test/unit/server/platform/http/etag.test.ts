import { expect, test } from "vitest";
import type { Actor } from "@forgeline/server/platform/access/actor.ts";
import { createEtagMaker, matchesEtag } from "@forgeline/server/platform/http/etag.ts";

const actor = (userId: string, scopes: Actor["scopes"] = ["repo:read", "mr:read"]): Actor => ({
  kind: "user",
  userId,
  username: userId,
  isAdmin: false,
  scopes,
  tokenId: null,
  sessionId: null,
  repositoryIds: null,
  job: null,
  request: null,
});

test("a tag belongs to one key, viewer, set of scopes and content", () => {
  const maker = createEtagMaker(() => [Buffer.alloc(32, 1)]);
  const tag = maker.make(actor("a"), "x");
  expect(maker.make(actor("a", ["mr:read", "repo:read"]), "x")).toBe(tag);
  const others = [
    maker.make(actor("b"), "x"),
    maker.make(actor("a"), "y"),
    maker.make(actor("a", ["repo:read"]), "x"),
    createEtagMaker(() => [Buffer.alloc(32, 2)]).make(actor("a"), "x"),
  ];
  expect(new Set([tag, ...others]).size).toBe(5);
});

test.each([
  ['"a"', true],
  ['"b", W/"a"', true],
  ["*", true],
  ['"b"', false],
  ["a", false],
  [undefined, false],
])('If-None-Match %s against "a" is %s', (header, expected) => {
  expect(matchesEtag(header, '"a"')).toBe(expected);
});

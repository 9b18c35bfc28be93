import { expect, test } from "vitest";
import { compilePath } from "@forgeline/server/platform/http/path-pattern.ts";

test.each([
  ["/repos/:owner/:repo", "/repos/a/b.c", { owner: "a", repo: "b.c" }],
  ["/repos/:owner/:repo", "/repos/a/b/", { owner: "a", repo: "b" }],
  ["/repos/:owner/:repo", "/repos/a%2Fx/b", { owner: "a/x", repo: "b" }],
  ["/repos/:owner/:repo", "/repos/a/b/c", undefined],
  ["/repos/:owner/:repo", "/repos/a/%E0%A4%A", undefined],
  ["/c/*path", "/c/a/b", { path: "a/b" }],
  ["/a.b", "/axb", undefined],
])("%s on %s", (path, address, expected) => {
  expect(compilePath(path).match(address)).toEqual(expected);
});

import { describe, expect, test } from "vitest";
import { indexRoutes } from "@forgeline/server/edges/rest/route-index.ts";

describe("the index of routes", () => {
  const paths = [
    "/user",
    "/users/:username",
    "/repos/:owner/:repo",
    "/repos/:owner/:repo/issues",
    "/repos/:owner/:repo/issues/:number",
    "/repos/:owner/:repo/contents/*path",
    "/repos/:owner/:repo/:thing",
    "/orgs/:org/teams/:team/discussions",
    "/:anything",
  ];
  const made: (readonly string[])[] = [];
  const routesOf = indexRoutes(
    paths.map((path) => ({ path })),
    (routes) => {
      made.push(routes.map(({ path }) => path));
      return routes.map(({ path }) => path);
    },
  );

  test.each([
    ["/user", ["/user", "/:anything"]],
    ["/repos/a/b/issues/1", ["/repos/:owner/:repo", paths[3], paths[4], paths[6], "/:anything"]],
    ["/repos/a/b/contents/issues/x", ["/repos/:owner/:repo", paths[5], paths[6], "/:anything"]],
    ["/repos/a/b/other", ["/repos/:owner/:repo", paths[6], "/:anything"]],
    ["/repos/a/b/", ["/repos/:owner/:repo", paths[6], "/:anything"]],
    ["/orgs/issues/teams/issues/discussions", [paths[7], "/:anything"]],
    ["/%72epos/a/b", ["/:anything"]],
    ["/__proto__/a/b/constructor", ["/:anything"]],
    ["/", ["/:anything"]],
  ])("of %s are those that may match, in their order", (path, expected) => {
    expect(routesOf(path)).toEqual(expected);
  });

  test("are found once for addresses that differ in parameters alone", () => {
    const before = made.length;
    for (let i = 0; i < 100; i += 1) routesOf(`/repos/a${i}/b/issues/${i}`);
    for (let i = 0; i < 100; i += 1) routesOf(`/unknown-${i}/a/b/unknown-${i}`);
    expect(made.length).toBe(before);
  });
});

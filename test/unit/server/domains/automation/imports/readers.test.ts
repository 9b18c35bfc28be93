/** What records of other hosts mean, by hand after their documentation; whole projects are in test/integration/api/imports. */
import { expect, test } from "vitest";
import { takeHeads } from "@forgeline/server/domains/automation/imports/take-git.ts";
import { createGithubReader } from "@forgeline/server/domains/automation/imports/github-reader.ts";
import { createGitlabReader } from "@forgeline/server/domains/automation/imports/gitlab-reader.ts";
import { nextOf, waitOf } from "@forgeline/server/domains/automation/imports/source-client.ts";
import { readPlace } from "@forgeline/server/domains/automation/imports/source-place.ts";

const github = createGithubReader("octo/hello");
const gitlab = createGitlabReader("group/sub/tool");
const at = { page: 2, cursor: null, number: 7, offset: 5 };

test("addresses of lists name the repository and nothing else", () => {
  expect(github.path("issues", at)).toBe(
    "/repos/octo/hello/issues?state=all&sort=created&direction=asc&per_page=100&page=2",
  );
  expect(github.path("reviews", at)).toBe("/repos/octo/hello/pulls/7/reviews?per_page=100&page=2");
  expect(gitlab.path("line_comments", at)).toBe(
    "/projects/group%2Fsub%2Ftool/merge_requests/2/discussions?per_page=100&page=2",
  );
  expect(["refs/pull/7/head", "refs/pull/7/merge", "refs/heads/main"].map(github.headRef)).toEqual([
    7,
    undefined,
    undefined,
  ]);
});

test("lists go on by cursor, by time, or by number, where pages end", () => {
  const linked = nextOf(
    '<https://x/a?page=1>; rel="prev", <https://x/b?per_page=100&after=Y3%3D%3D&page=3>; rel="next"',
  );
  expect(linked).toEqual({ hasNext: true, after: "Y3==" });
  expect(nextOf('<https://x/b?page=1>; rel="prev"')).toEqual({ hasNext: false, after: null });
  expect(nextOf(undefined)).toEqual({ hasNext: undefined, after: null });
  const pathOf = (step: "issues" | "merge_requests", cursor: string) => github.path(step, { ...at, cursor });
  expect(pathOf("issues", github.after?.("Y3==&a") ?? "")).toMatch(/&per_page=100&after=Y3%3D%3D%26a$/);
  const last = [{ number: 9, created_at: "2021-01-01T00:00:05Z", updated_at: "2021-02-01T00:00:05Z" }];
  const since = github.beyond?.("issues", last, null) ?? "";
  expect(since).toBe("since=2021-01-01T00%3A00%3A04.000Z");
  expect(pathOf("issues", since)).toBe(
    `/repos/octo/hello/issues?state=all&sort=updated&direction=asc&per_page=100&${since}&page=2`,
  );
  const next = github.beyond?.("issues", last, since) ?? "";
  expect(next).toContain("2021-02-01");
  // Nothing but records of one second.
  expect(github.beyond?.("issues", last, next)).toBeUndefined();
  expect(pathOf("merge_requests", github.beyond?.("merge_requests", last, null) ?? "")).toBe(
    "/repos/octo/hello/pulls/10",
  );
  expect(github.beyond?.("labels", last, null)).toBeUndefined();
});

test("what is no list, and records of wrong types, are told apart", () => {
  expect(github.read("issues", { message: "Moved" }, at)).toBeUndefined();
  const strange = [null, 7, { number: "one" }, { number: 3, title: {} }, { number: 4, pull_request: {} }];
  expect(github.read("issues", strange, at)).toEqual([
    { kind: "unreadable", source: "?" },
    { kind: "unreadable", source: "?" },
    { kind: "unreadable", source: "one" },
    { kind: "unreadable", source: "3" },
  ]);
  expect(gitlab.read("issues", [{ iid: 1 }], at)).toEqual([{ kind: "unreadable", source: "1" }]);
  expect(gitlab.read("line_comments", [{ id: "a", notes: [] }], at)).toEqual([
    { kind: "unreadable", source: "a" },
  ]);
});

const times = { created_at: "2021-01-01T00:00:00Z", updated_at: "2021-01-01T00:00:00Z" };
const note = (id: number, more: object = {}) => ({ id, body: "text", author: null, ...times, ...more });

test("what is confidential at GitLab is left out, with its thread", () => {
  const reason = "It is confidential there, so it was left out.";
  const left = (source: string) => ({ kind: "unreadable", source, reason });
  const issue = { iid: 3, title: "Leak", state: "opened", confidential: true, author: null, ...times };
  expect(gitlab.read("issues", [issue, { ...issue, iid: 4, confidential: false }], at)).toEqual([
    left("3"),
    expect.objectContaining({ kind: "issue", number: 4 }),
  ]);
  const notes = [note(1, { internal: true }), note(2, { confidential: true }), note(3)];
  expect(gitlab.read("comments", notes, at)).toMatchObject([left("1"), left("2"), { source: "3" }]);
  const threads = [
    { id: "a", notes: [note(4, { internal: true }), note(5)] },
    { id: "b", notes: [note(6), note(7, { internal: true })] },
  ];
  expect(gitlab.read("line_comments", threads, at)).toMatchObject([
    left("4"),
    left("5"),
    { source: "6" },
    left("7"),
  ]);
});

test("an answer that would keep the worker busy is of no form that is known", () => {
  const many = Array.from({ length: 1_000_000 }, () => ({}));
  const began = performance.now();
  expect(github.read("issues", many, at)).toBeUndefined();
  expect(gitlab.read("issues", many, at)).toBeUndefined();
  expect(gitlab.read("line_comments", [{ id: "a", notes: many }], at)).toBeUndefined();
  expect(gitlab.read("reviews", { updated_at: times.updated_at, approved_by: many }, at)).toHaveLength(500);
  const issue = { number: 3, id: 3, title: "Many", state: "open", user: null, labels: many, ...times };
  expect(github.read("issues", [issue], at)).toMatchObject([{ number: 3, labels: [] }]);
  expect(performance.now() - began).toBeLessThan(3_000);
});

test("a comment on a removed line, and one on a whole file, say so", () => {
  const comment = {
    id: 1,
    pull_request_url: "https://api.github.com/repos/octo/hello/pulls/7",
    user: { login: "hubot" },
    body: "Why?",
    path: "a.txt",
    side: "LEFT",
    original_line: 4,
    original_start_line: 2,
    line: null,
    original_commit_id: "a".repeat(40),
    diff_hunk: "@@",
    created_at: "2021-01-01T00:00:00Z",
    updated_at: "2021-01-01T00:00:00Z",
  };
  expect(github.read("line_comments", [comment], at)).toMatchObject([
    { number: 7, side: "old", line: 4, startLine: 2, isOutdated: true, author: "hubot" },
  ]);
  const whole = {
    ...comment,
    side: "RIGHT",
    original_line: null,
    subject_type: "file",
    original_commit_id: "x",
  };
  expect(github.read("line_comments", [whole], at)).toMatchObject([
    { side: "new", line: null, startLine: null, isOutdated: false, commit: null },
  ]);
});

test.each([
  [429, { "retry-after": "30" }, 30_000],
  [429, {}, 60_000],
  [429, { "retry-after": "0" }, 1_000],
  [403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1090" }, 90_000],
  [429, { "ratelimit-reset": "999999999" }, 65 * 60_000],
  [403, {}, undefined],
  [404, { "retry-after": "30" }, undefined],
] as const)("a status of %i with %j asks to wait for %s ms", (status, headers, expected) => {
  expect(waitOf(status, headers, 1_000_000)).toBe(expected);
});

const place = (source: "github" | "gitlab", apiUrl?: string, repository = "octo/hello") =>
  readPlace({ source, apiUrl, repository }, (address) => address === "127.0.0.1");

test("Git's address follows from that of the API", () => {
  expect(place("github")).toEqual({
    apiUrl: "https://api.github.com",
    host: "github.com",
    gitUrl: "https://github.com/octo/hello.git",
  });
  expect(place("gitlab", undefined, "a/b/c")).toMatchObject({
    host: "gitlab.com",
    gitUrl: "https://gitlab.com/a/b/c.git",
  });
  expect(place("github", "https://git.example.com/api/v3/").gitUrl).toBe(
    "https://git.example.com/octo/hello.git",
  );
  expect(place("gitlab", "https://127.0.0.1:8443/git/api/v4").gitUrl).toBe(
    "https://127.0.0.1:8443/git/octo/hello.git",
  );
});

test.each([
  ["github", "http://git.example.com/api/v3"],
  ["github", "https://git.example.com/api/v4"],
  ["gitlab", "https://user:word@git.example.com/api/v4"],
  ["gitlab", "https://git.example.com/api/v4?x=1"],
  ["gitlab", "https://10.0.0.1/api/v4"],
  ["github", "https://[::1]/api/v3"],
] as const)("%s at %s is refused", (source, url) => {
  expect(() => place(source, url)).toThrow(expect.objectContaining({ code: "validation_failed" }));
});

test("where there are too many heads of merge requests, the newest come", () => {
  const heads = new Map([2, 10, 9].map((number) => [`refs/pull/${number}/head`, number]));
  const notes: object[] = [];
  expect(takeHeads(heads, { most: 2, notes: notes as never })).toEqual([
    "refs/pull/10/head",
    "refs/pull/9/head",
  ]);
  expect(notes).toMatchObject([{ reason: expect.stringContaining("The 1 oldest") }]);
  expect(takeHeads(heads, { most: 2, notes: [] })).toHaveLength(2);
});

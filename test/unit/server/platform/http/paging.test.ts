import { expect, test } from "vitest";
import { clampPage, pagingHeaders } from "@forgeline/server/platform/http/paging.ts";

const rels = (page: number, total: number) =>
  [
    ...(
      pagingHeaders(new URL("https://h/x?state=open"), { page, per_page: 10 }, total)["Link"] ?? ""
    ).matchAll(/[?&]page=(\d+).*?rel="(\w+)"/g),
  ]
    .map(([, number, rel]) => `${rel}:${number}`)
    .join(" ");

test.each([
  [1, 0, "first:1 last:1"],
  [1, 10, "first:1 last:1"],
  [1, 11, "first:1 next:2 last:2"],
  [2, 30, "first:1 prev:1 next:3 last:3"],
  [3, 30, "first:1 prev:2 last:3"],
  [9, 30, "first:1 prev:3 last:3"],
])("page %i of %i items links to %s", (page, total, expected) => {
  expect(rels(page, total)).toBe(expected);
});

test("links keep the rest of the query, and per_page is clamped", () => {
  const headers = pagingHeaders(new URL("https://h/x?state=open"), { page: 1, per_page: 10 }, 30);
  expect(headers).toMatchObject({ "X-Total-Count": "30", "X-Total-Pages": "3" });
  expect(headers["Link"]).toContain("<https://h/x?state=open&page=2&per_page=10>");
  expect(clampPage({ page: 1, per_page: 5000 }).per_page).toBe(100);
});

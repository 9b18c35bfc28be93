import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ErrorBody } from "@forgeline/schemas/core/error-body.ts";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";

const page = await readFile(new URL("../../docs/errors.md", import.meta.url), "utf8");

test("docs/errors.md has a section for every code, with its status, and for nothing else", () => {
  const sections = page
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      code: text.split("\n", 1)[0],
      status: Number(/^Status (\d{3})\./m.exec(text)?.[1]),
    }));
  const expected = Object.entries(errorCatalogue).map(([code, { status }]) => ({ code, status }));
  expect(sections).toEqual(expect.arrayContaining(expected));
  expect(sections).toHaveLength(expected.length);
});

test("docs/errors.md names every field of an error's body", () => {
  for (const field of Object.keys(ErrorBody.shape))
    expect(page.includes(`\`${field}\``) || page.includes(`"${field}":`), field).toBe(true);
});

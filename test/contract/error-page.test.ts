import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ErrorBody } from "@forgeline/schemas/core/error-body.ts";

const page = await readFile(new URL("../../docs/errors.md", import.meta.url), "utf8");

test("docs/errors.md names every field of an error's body", () => {
  for (const field of Object.keys(ErrorBody.shape))
    expect(page.includes(`\`${field}\``) || page.includes(`"${field}":`), field).toBe(true);
});

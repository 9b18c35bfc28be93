import { expect, test } from "vitest";
import { renderMarkdown } from "@forgeline/server/edges/docs/markdown.ts";

test("headings have the anchors that GitHub gives them", () => {
  const { title, html } = renderMarkdown("# The `page`\n## not_found\n## A b, c!\n## A b, c!\n", "page.md");
  expect(title).toBe("The page");
  for (const id of ["the-page", "not_found", "a-b-c", "a-b-c-1"]) expect(html).toContain(`id="${id}"`);
});

test("links between pages work here, scripts do not", () => {
  const { html } = renderMarkdown(
    "[x](../errors.md#conflict) [y](javascript:alert(1)) [z](README.md)\n\n<script>alert(1)</script>\n\n<!-- gone -->",
    "pipelines/file.md",
  );
  expect(html).toContain('href="/docs/errors#conflict"');
  expect(html).toContain('href="/docs/pipelines"');
  expect(html).not.toMatch(/<script|javascript:|gone/);
});

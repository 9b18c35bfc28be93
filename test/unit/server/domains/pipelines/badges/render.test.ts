import { expect, test } from "vitest";
import { renderBadge } from "@forgeline/server/domains/pipelines/badges/render.ts";
import { badgeOf } from "@forgeline/server/domains/pipelines/badges/service.ts";
import type { BadgeRun } from "@forgeline/server/domains/pipelines/badges/badges.store.ts";

const run = (status: BadgeRun["status"], more: Partial<BadgeRun> = {}): BadgeRun => ({
  file: ".forgeline.yml",
  status,
  warnings: 0,
  ...more,
});

test("says what runs came to, never plain green with warnings", () => {
  expect(badgeOf([])).toEqual({ label: "pipeline", text: "no runs", colour: "grey" });
  expect(badgeOf([run("success")])).toMatchObject({ text: "passing", colour: "green" });
  expect(badgeOf([run("success", { warnings: 1 })])).toMatchObject({
    text: "passing with warnings",
    colour: "yellow",
  });
  expect(badgeOf([run("success"), run("failed", { file: ".forgeline/b.yml" })]).text).toBe("failing");
  expect(badgeOf([run("failed"), run("running", { file: ".forgeline/b.yml" })]).text).toBe("running");
});

test("names a pipeline that has run, and no other", () => {
  expect(badgeOf([run("success", { file: ".forgeline/deploy.yml" })], "deploy").label).toBe("deploy");
  expect(badgeOf([run("success")], ".forgeline.yml").label).toBe("pipeline");
  expect(badgeOf([], "BUY NOW").label).toBe("pipeline");
});

test("is sound XML whatever the text is", () => {
  const svg = renderBadge({ label: `<script>"'&\u0000\u202e\ud800`, text: "x".repeat(500), colour: "red" });
  expect(svg).toContain("<title>&lt;script&gt;&quot;&#39;&amp;\ufffd: xxxx");
  for (const hidden of ["<script", "\u0000", "\u202e"]) expect(svg).not.toContain(hidden);
  expect(svg.length).toBeLessThan(1_500);
});

test("is as wide as its text", () => {
  const widthOf = (text: string) =>
    Number(/width="(\d+)"/.exec(renderBadge({ label: "pipeline", text, colour: "green" }))?.[1]);
  expect(widthOf("passing")).toBeGreaterThan(80);
  expect(widthOf("passing")).toBeLessThan(120);
  expect(widthOf("passing with warnings")).toBeGreaterThan(widthOf("passing"));
});

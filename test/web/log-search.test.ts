/** Searching logs, on the page of a run and across runs, the way to the first error, and badges to copy. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows, type RowRun } from "../support/web/run-in-rows.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let run: RowRun;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  const user = await server.container.platform.db.one<{ id: string }>(
    "select id from users where username = 'ada'",
  );
  const person: TestPerson = { id: user?.id ?? "", username: "ada", token: "" };
  person.token = await server.tokenFor(person, ["repo:write", "pipeline:read", "pipeline:write"]);
  const plan = planOf([planJob({ key: "build" }), planJob({ key: "unit" })]);
  run = await runInRows(server, person, { name: "searched", plan });
  for (const key of ["build", "unit"]) {
    const attempt = await run.begin(key, ["work"]);
    const lines = Array.from({ length: 300 }, (_, n) => `${key} line ${n + 1}\n`).join("");
    await attempt.print(1, `${lines}\u001b[31merror\u001b[0m: ${key} <b>broke</b>\ntail of ${key}\n`);
    await attempt.end("failed", { status: "failed", exitCode: 1 });
    await run.setJob(key, "failed", { reason: "exit:1", message: "Step work failed." });
  }
  await run.setRun("failed");
  ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

test("the page of a run finds lines in the logs of all jobs, and leads to them", async () => {
  await ada.goto(run.path);
  const { page } = ada;
  await page.getByLabel("Search all logs of this run").last().fill("TAIL OF");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("2 lines").waitFor();
  expect(await page.locator("mark").allTextContents()).toEqual(["tail of", "tail of"]);
  await lookAtPage(ada);
  await page.getByRole("link", { name: "unit › work, line 302" }).click();
  await page
    .getByRole("region", { name: /^Log of unit/ })
    .getByText("tail of unit")
    .waitFor();
  expect(new URL(page.url()).hash).toBe("#unit@1:0:302");
});

test("a failed job leads to its first error", async () => {
  await ada.goto(`${run.path}#build`);
  await ada.page.getByRole("button", { name: "First error" }).click();
  await ada.page
    .getByRole("region", { name: /^Log of build/ })
    .getByText(": build <b>broke</b>")
    .waitFor();
  expect(new URL(ada.page.url()).hash).toBe("#build@1:0:301");
});

test("a page searches the last runs, says when nothing is found, and refuses no words", async () => {
  const { page } = ada;
  await ada.goto(run.path.replace(/\/\d+$/, ""));
  await page.getByRole("link", { name: "Search logs" }).click();
  await page.getByLabel("Words in a line").fill("<b>broke");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("link", { name: "#1 build › work, line 301" }).waitFor();
  await lookAtPage(ada);
  await page.getByLabel("Branch or tag").fill("other");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("No line holds these words.").waitFor();
  expect(new URL(page.url()).search).toBe("?q=%3Cb%3Ebroke&ref=other&runs=20");
  await lookAtPage(ada);
});

test("the pipelines page shows a badge with what to copy", async () => {
  const { page } = ada;
  await ada.goto(run.path.replace(/\/\d+$/, ""));
  await page.getByRole("button", { name: "More about pipelines" }).click();
  await page.getByRole("menuitem", { name: "Status badge" }).click();
  const picture = page.getByRole("img", { name: "pipeline", exact: true });
  await picture.waitFor();
  const shown = 'document.querySelector("dialog img")';
  const height = await page.evaluate(`${shown}.decode().then(() => ${shown}.naturalHeight)`);
  expect(height).toBe(20);
  const markdown = await page.getByLabel("Markdown", { exact: true }).inputValue();
  expect(markdown).toMatch(
    /^\[!\[pipeline\]\(https:.*\/searched\/badges\/pipeline\.svg\)\]\(https:.*\/ada\/searched\/pipelines\)$/,
  );
  await page.getByRole("textbox", { name: "Branch", exact: true }).fill("a&b");
  expect(await page.getByLabel("HTML", { exact: true }).inputValue()).toContain("pipeline.svg?branch=a%26b");
  await page.getByLabel("Shows", { exact: true }).selectOption("coverage");
  await page.getByRole("img", { name: "coverage", exact: true }).waitFor();
  expect(await page.getByLabel("Markdown", { exact: true }).inputValue()).toMatch(
    /^\[!\[coverage\]\(.*\/coverage\.svg\?branch=a%26b\)\]\(.*\/searched\/pipelines\/coverage\)$/,
  );
  await lookAtPage(ada);
});

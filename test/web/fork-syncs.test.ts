/** The page about a fork and its upstream: how far they are apart, a sync, a merge, a conflict, and a schedule. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { startWorker } from "../support/failing-work.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;
let send: ReturnType<typeof openBrowser>["send"];
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  const env = { FORGELINE_TASK_QUEUE: `test-fork-page-${process.pid}` };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  stopWorker = await startWorker(server);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  send = sender.send;
  await send("POST", "/repos", { name: "code", readme: true });
  await send("POST", "/repos/ada/code/forks", { name: "fork" });
  await commit("code", "a.txt", "a");
});
afterAll(async () => {
  await closeWindows(browser);
  await stopWorker?.();
  await server?.stop();
});

async function commit(repository: string, file: string, text: string): Promise<void> {
  const content = Buffer.from(text).toString("base64");
  const body = { message: file, content, branch: "main" };
  const answer = await send("PUT", `/repos/ada/${repository}/contents/${file}`, body);
  expect(answer.status).toBe(200);
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("a fork shows how far it is behind, and goes on after it was shown what will change", async () => {
  await ada.goto("/ada/fork");
  await page.getByRole("link", { name: "Sync with upstream" }).waitFor();
  await page.getByRole("link", { name: "1 behind" }).click();
  await page.getByText("main: 1 behind").waitFor();
  await page.getByText("No syncs yet").waitFor();
  await lookAtPage(ada);
  await button("Preview sync of main").click();
  await page.getByRole("row", { name: "main 1 0 fast-forwards" }).waitFor();
  await lookAtPage(ada);
  await button("Sync now").click();
  await page.getByText("main: up to date").waitFor();
  await page.getByRole("cell", { name: "succeeded" }).waitFor();
  await button("Preview sync of all branches").click();
  await page.getByText("Nothing to sync: every branch has all commits of the upstream.").waitFor();
  await lookAtPage(ada);
});

test("commits of both sides are merged, and a conflict is named", async () => {
  await commit("code", "b.txt", "theirs");
  await commit("fork", "c.txt", "mine");
  await ada.goto("/ada/fork/sync");
  await page.getByText("main: 1 behind, 1 ahead").first().waitFor();
  await button("Preview sync of main").click();
  await page.getByRole("row", { name: "main 1 1 merges cleanly" }).waitFor();
  await button("Sync now").click();
  await page.getByText("main: 2 ahead").first().waitFor();
  await page.getByRole("cell", { name: "merged" }).waitFor();
  await commit("code", "d.txt", "theirs");
  await commit("fork", "d.txt", "mine");
  await button("Preview sync of main").click();
  const conflict = page.getByRole("alert").filter({ hasText: "Both sides have changed the same lines" });
  await conflict
    .getByRole("listitem")
    .filter({ hasText: /^d\.txt$/ })
    .waitFor();
  await conflict.getByText("Merge upstream in a clone and push the result.").waitFor();
  expect(await conflict.getByText("req_", { exact: false }).count()).toBe(0);
  ada.forgiveRefusals();
  await lookAtPage(ada);
});

test("it is synced by itself, and not any more", async () => {
  await page.getByLabel("Minutes between two syncs").fill("30");
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("Next sync").waitFor();
  await lookAtPage(ada);
  await button("Delete the schedule").click();
  await inDialog("Delete the schedule").click();
  await page.getByText("Next sync").waitFor({ state: "detached" });
  await ada.goto("/ada/code/sync");
  await page.getByText("This repository is not a fork.").waitFor();
  await lookAtPage(ada);
});

/** The pages about push mirrors: one is added, diverges, overwrites, is paused, changed and deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { readBed } from "../support/bed.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { startWorker } from "../support/failing-work.ts";
import { startGitSource, type GitSource, type SourceRepository } from "../support/git-source.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;
let source: GitSource;
let target: SourceRepository;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  source = await startGitSource();
  target = await source.create("target");
  await target.git("config", "http.receivepack", "true");
  const { caFile } = (await readBed()).certificates;
  const env = {
    FORGELINE_TASK_QUEUE: `test-push-mirror-page-${process.pid}`,
    FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
    FORGELINE_OUTBOUND_CA_FILE: caFile,
  };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  stopWorker = await startWorker(server);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "code", readme: true });
});
afterAll(async () => {
  await closeWindows(browser);
  await stopWorker?.();
  await server?.stop();
  await source?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("one is added, and pushes", async () => {
  await ada.goto("/ada/code/settings");
  await page.getByRole("link", { name: "Push mirrors" }).click();
  await page.getByText("No push mirrors yet").waitFor();
  await lookAtPage(ada);
  await button("Add a push mirror").click();
  await page.getByLabel("Address of the target").fill("https://10.0.0.1/x.git");
  await inDialog("Add a push mirror").click();
  await page.getByText("This address is not public.", { exact: false }).first().waitFor();
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await page.getByLabel("Address of the target").fill(target.url);
  await inDialog("Add a push mirror").click();
  await page.getByRole("link", { name: target.url }).click();
  await page.getByText("up to date").first().waitFor();
  await page.getByRole("cell", { name: "first sync" }).waitFor();
  await page.getByText("created main", { exact: false }).waitFor();
  await page.getByText("after each push, and every 60 minutes").waitFor();
  await lookAtPage(ada);
  expect((await target.refs()).map((line) => line.slice(41))).toEqual(["refs/heads/main"]);
});

test("what has diverged is shown, and overwritten when that is wanted", async () => {
  const theirs = await target.commit("main", { "theirs.txt": "theirs" });
  await button("Sync now").click();
  await page.getByText("The target has diverged").first().waitFor();
  await page
    .getByRole("row", { name: /refs\/heads\/main/ })
    .getByText(theirs.slice(0, 10))
    .waitFor();
  await lookAtPage(ada);
  await page.getByLabel("Overwrite what somebody else has changed there").check();
  await button("Save").click();
  await page.getByText("up to date").first().waitFor();
  await page.getByText("The target has diverged").first().waitFor({ state: "detached" });
  await page.getByText("replaced main", { exact: false }).waitFor();
  await lookAtPage(ada);
});

test("it is paused, resumed and deleted", async () => {
  await button("Pause").click();
  await page.getByText("Nothing is pushed until you resume it.").waitFor();
  await lookAtPage(ada);
  await button("Resume").click();
  await page.getByText("Nothing is pushed until you resume it.").waitFor({ state: "detached" });
  await button("Delete").click();
  await page.getByText("What is there stays.", { exact: false }).waitFor();
  await lookAtPage(ada);
  await inDialog("Delete").click();
  await page.getByText("No push mirrors yet").waitFor();
  expect(await target.refs()).toHaveLength(1);
});

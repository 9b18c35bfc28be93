/** The page with exports of an audit log: one is made with the filter of the log, downloaded and deleted. */
import { readFile } from "node:fs/promises";
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
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  const env = { FORGELINE_TASK_QUEUE: `test-export-page-${process.pid}` };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  stopWorker = await startWorker(server);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/orgs", { name: "acme" });
});
afterAll(async () => {
  await closeWindows(browser);
  await stopWorker?.();
  await server?.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("the filter of the log becomes that of a file, which is downloaded and deleted", async () => {
  await ada.goto("/orgs/acme/audit-log?action=org.create");
  await page.getByRole("link", { name: "Export", exact: true }).click();
  await page.getByText("No exports yet").waitFor();
  await lookAtPage(ada);
  await button("Export").click();
  expect(await page.getByRole("dialog").getByLabel("Action").inputValue()).toBe("org.create");
  await lookAtPage(ada);
  await inDialog("Export").click();
  const link = page.getByRole("link", { name: "Download the file of csv" });
  await link.waitFor();
  await page.getByText("action: org.create").waitFor();
  await lookAtPage(ada);
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^audit-log-acme-exp_\w+\.csv$/);
  const text = await readFile(await download.path(), "utf8");
  expect(text.trimEnd().split("\r\n")).toHaveLength(2);
  await button("Delete").click();
  await lookAtPage(ada);
  await inDialog("Delete").click();
  await page.getByText("No exports yet").waitFor();
});

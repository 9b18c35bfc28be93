/** The page with the stream of an audit log: set up, tried, failing, changed and deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { readBed } from "../support/bed.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { startWorker } from "../support/failing-work.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";
import { accepting, refusing, startReceiver, type Receiver } from "../support/webhook-receiver.ts";

let server: ApiServer;
let browser: Browser;
let receiver: Receiver;
let ada: Visitor;
let page: Page;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  const { caFile } = (await readBed()).certificates;
  const env = {
    FORGELINE_TASK_QUEUE: `test-stream-page-${process.pid}`,
    FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
    FORGELINE_OUTBOUND_CA_FILE: caFile,
  };
  const periods = { auditStreamRetryMs: 60_000 };
  [server, browser, receiver] = await Promise.all([
    startWebServer({ env, periods }),
    sharedChromium(),
    startReceiver(),
  ]);
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
  await receiver?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });

test("a log is streamed, tried, fails, is tried again and is streamed no more", async () => {
  await ada.goto("/orgs/acme/audit-log");
  await page.getByRole("link", { name: "Stream", exact: true }).click();
  await page.getByText("The log is not streamed").waitFor();
  await field("Target").selectOption("S3 bucket");
  await field("Secret access key").waitFor();
  // That the log is streamed nowhere is a 404.
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await field("Target").selectOption("HTTPS address");
  await field("Address").fill(`${receiver.url}/audit?key=s3cret`);
  await button("Start streaming").click();
  await page.getByText("Requests to this address need a token.").first().waitFor();
  await field("Token").fill("token-of-the-stream");
  await field("Start from entry").fill("1");
  await button("Start streaming").click();
  await page.getByText("up to date", { exact: true }).waitFor();
  expect(await field("Address").inputValue()).toBe(`${receiver.url}/audit?key=***`);
  expect(receiver.received[0]?.path).toBe("/audit?key=s3cret");
  await lookAtPage(ada);
  await button("Send test entry").click();
  await page.getByText(/^The target accepted the test entry/).waitFor();
  await lookAtPage(ada);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  receiver.answer = refusing(503);
  await field("Token").fill("a-second-token");
  await button("Save").click();
  await page.getByText("The target does not accept entries").waitFor();
  await page.getByText("The endpoint answered with status 503", { exact: false }).waitFor();
  await lookAtPage(ada);
  receiver.answer = accepting;
  await button("Try now").click();
  await page.getByText("up to date", { exact: true }).waitFor();
  await button("End old token").click();
  await button("Pause").click();
  await page.getByText("Entries wait until the stream is resumed.").waitFor();
  await button("Resume").click();
  await page.getByText("up to date", { exact: true }).waitFor();
  await button("Delete").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("The log is not streamed").waitFor();
});

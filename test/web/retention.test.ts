/** The pages of retention: what holds is seen, what is set is kept, and a mistake stands at its field. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let sender: Sender;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/orgs", { name: "acme" });
  await sender.send("POST", "/repos", { name: "app", owner: "acme" });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

test("days are set for an organization and one of its repositories", async () => {
  const { page } = ada;
  await ada.goto("/orgs/acme");
  await page.getByRole("link", { name: "Retention" }).click();
  await page.getByLabel("Logs").fill("30");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("In effect: 30 days.").first().waitFor();
  await lookAtPage(ada);

  await ada.goto("/acme/app/settings");
  await page.getByRole("link", { name: "Retention" }).click();
  await page.getByText("Kept until deleted.").first().waitFor();
  await lookAtPage(ada);
  await page.getByLabel("Logs").fill("31");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("At most 30: the organization keeps logs no longer.").waitFor();
  await page.getByLabel("Logs").fill("1");
  await page.getByLabel("Artifacts").fill("14");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("In effect: 1 day.").waitFor();
  const { json } = await sender.send("GET", "/repos/acme/app/retention");
  expect(json).toMatchObject({ logs_days: 1, artifacts_days: 14, runs_days: null });
});

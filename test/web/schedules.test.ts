/** The pages about schedules: one is added, run, changed, turned off and deleted; one of a file is shown. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;
const stopping = new AbortController();
let following: Promise<void>;

const file = `on: { push: , schedule: [{ name: weekly, cron: "0 4 * * SUN", timezone: Asia/Tokyo }] }
image: busybox
steps: ["true"]
`;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  following = server.container.automation.followerRunner.run("schedules", stopping.signal);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "code", readme: true });
  const content = Buffer.from(file).toString("base64");
  await sender.send("PUT", "/repos/ada/code/contents/.forgeline.yml", {
    message: "x",
    content,
    branch: "main",
  });
});
afterAll(async () => {
  stopping.abort();
  await following;
  await closeWindows(browser);
  await server?.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("one of a file is shown, and can be turned off and on", async () => {
  await ada.goto("/ada/code/settings");
  await page.getByRole("link", { name: "Schedules" }).click();
  await page.getByRole("link", { name: "weekly" }).waitFor();
  await page.getByRole("cell", { name: /^Sun, .*04:00$/ }).waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "weekly" }).click();
  await page.getByText("It is listed in a pipeline file", { exact: false }).waitFor();
  expect(
    await page
      .getByRole("listitem")
      .filter({ hasText: /^Sun, .*04:00$/ })
      .count(),
  ).toBe(5);
  await lookAtPage(ada);
  await button("Turn off").click();
  await page.getByText("It runs when you turn it on again, or now.").waitFor();
  await lookAtPage(ada);
  await button("Turn on").click();
  await page.getByText("It runs when you turn it on again, or now.").waitFor({ state: "detached" });
});

test("one is added, and refused where it is wrong", async () => {
  await ada.goto("/ada/code/settings/schedules");
  await button("Add a schedule").click();
  await page.getByLabel("Name", { exact: true }).fill("nightly");
  await page.getByLabel("Cron line").fill("0 25 * * *");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await button("Add a variable").click();
  await page.getByLabel("Name of variable 1").fill("DEPTH");
  await page.getByLabel("Value of variable 1").fill("full");
  await inDialog("Add a schedule").click();
  await page.getByText("This is not a cron line with five fields", { exact: false }).first().waitFor();
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await page.getByLabel("Cron line").fill("0 3 * * *");
  await inDialog("Add a schedule").click();
  await page.getByRole("link", { name: "nightly" }).click();
  await page.getByText("DEPTH=full").waitFor();
  await lookAtPage(ada);
});

test("it is run now, and its run says what started it", async () => {
  await button("Run now").click();
  await page.waitForURL(/\/ada\/code\/pipelines\/\d+$/);
  await page.getByText("Schedule nightly by").waitFor();
  await ada.goto("/ada/code/pipelines");
  await page.getByText("Schedule nightly by ada").waitFor();
  await ada.goto("/ada/code/settings/schedules");
  await page.getByRole("link", { name: "nightly" }).click();
  await page.getByRole("cell", { name: "by hand" }).waitFor();
  await lookAtPage(ada);
});

test("it is changed and deleted", async () => {
  await page.getByLabel("Cron line").fill("30 3 * * *");
  await page.getByLabel("Value of variable 1").fill("quick");
  await button("Save").click();
  await page.getByText("DEPTH=quick").waitFor();
  expect(
    await page
      .getByRole("listitem")
      .filter({ hasText: /03:30$/ })
      .count(),
  ).toBe(5);
  await button("Delete").click();
  await lookAtPage(ada);
  await inDialog("Delete").click();
  await page.getByRole("link", { name: "weekly" }).waitFor();
  await page.getByRole("link", { name: "nightly" }).waitFor({ state: "detached" });
});

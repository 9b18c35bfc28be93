/** The pages about schedules: one is added, run, changed, turned off and deleted; one of a file is shown. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let sender: Sender;
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
  sender = openBrowser(server);
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
  await lookAtPage(ada);
  await page.getByRole("link", { name: "weekly" }).click();
  await page.getByText("It is listed in a pipeline file", { exact: false }).waitFor();
  await page.getByText("Times in Asia/Tokyo").first().waitFor();
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
  await page.getByText("The hour must be 0 to 23, not 25", { exact: false }).first().waitFor();
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await page.getByLabel("Cron line").fill("0 3 * * *");
  await inDialog("Add a schedule").click();
  await page.getByRole("link", { name: "nightly" }).click();
  await page.getByText("DEPTH=full").waitFor();
  await lookAtPage(ada);
});

test("inputs are rows of names and values, and refused where the file does not declare them", async () => {
  await page.getByRole("button", { name: "Add an input" }).click();
  await page.getByLabel("Name of input 1").fill("target");
  await page.getByLabel("Value of input 1").fill("a");
  await button("Save").click();
  await page.getByText("The pipeline has no input named target.").first().waitFor();
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Remove input 1" }).click();
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
});

test("it is run now, and its run says what started it", async () => {
  await button("Run now").click();
  await page.waitForURL(/\/ada\/code\/pipelines\/\d+$/);
  await page.getByText("Schedule nightly by").waitFor();
  await ada.goto("/ada/code/pipelines");
  await page.getByText("Schedule nightly by ada").waitFor();
  await ada.goto("/ada/code/settings/schedules");
  await page.getByRole("link", { name: "nightly" }).click();
  await page.getByRole("cell", { name: "Started by hand" }).waitFor();
  await lookAtPage(ada);
});

test("that it cannot be run now is told", async () => {
  await sender.send("POST", "/repos/ada/code/branches", { name: "develop" });
  await page.getByLabel("Branch or tag").fill("develop");
  await button("Save").click();
  await page.getByText("Saved.").waitFor();
  await sender.send("DELETE", "/repos/ada/code/branches/develop");
  await button("Run now").click();
  await page.getByText("No branch, tag or commit is named develop.").first().waitFor();
  ada.forgiveRefusals();
  await page.getByLabel("Branch or tag").fill("");
  await button("Save").click();
  await page.getByText("the default branch", { exact: true }).waitFor();
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

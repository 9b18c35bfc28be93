/** The filters above a list of merge requests: people, labels, milestones and branches are chosen. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { contentsOf } from "../support/web/contents.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let sender: Sender;
let page: Page;
const at = "/repos/ada/app";

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  page.setDefaultTimeout(8_000);
  await ada.signIn("ada", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "app", readme: true });
  const { branch } = contentsOf(sender, at);
  for (const name of ["fix", "docs"]) {
    await branch(name, `${name}.txt`, "text\n", `Add ${name}`);
    const proposal = { title: `Add ${name}`, source_branch: name, target_branch: "main" };
    await sender.send("POST", `${at}/merge-requests`, proposal);
  }
  await sender.send("POST", `${at}/labels`, { name: "bug", color: "d73a4a" });
  await sender.send("POST", `${at}/milestones`, { title: "Autumn" });
  await sender.send("PATCH", `${at}/merge-requests/1`, { labels: ["bug"] });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).last().click();
const option = (name: string) => page.getByRole("option", { name, exact: true }).click();
const search = () => new URL(page.url()).search;
const links = (name: string) => page.getByRole("link", { name, exact: true });

test("people, labels, milestones and branches of merge requests are chosen", async () => {
  await ada.goto("/ada/app/merge-requests");
  await links("Add docs").waitFor();
  await press("Label");
  await option("bug");
  await expect.poll(() => links("Add docs").count()).toBe(0);
  await links("Add fix").waitFor();
  await page.keyboard.press("Escape");
  await press("Milestone");
  await option("Autumn");
  await page.getByText("No merge request matches").waitFor();
  expect(search()).toBe("?labels=bug&milestone=Autumn");
  await page.keyboard.press("Escape");
  await lookAtPage(ada);
  await press("Clear filters");
  await press("Author");
  await page.getByPlaceholder("Type a user name").fill("bob");
  await option("User bob");
  await page.getByText("No merge request matches").waitFor();
  await press("Clear filters");
  await press("Assignee");
  await option("Nobody assigned");
  await links("Add docs").waitFor();
  await page.keyboard.press("Escape");
  await press("From branch");
  await option("docs");
  await page.keyboard.press("Escape");
  await expect.poll(() => links("Add fix").count()).toBe(0);
  expect(search()).toBe("?assignee=none&source_branch=docs");
  await lookAtPage(ada);
});

test("drafts and the order are chosen in menus", async () => {
  await ada.goto("/ada/app/merge-requests");
  await press("Sort: Newest");
  await page.getByRole("menuitemradio", { name: "Oldest" }).click();
  await press("Drafts: all");
  await page.getByRole("menuitemradio", { name: "only drafts" }).click();
  await page.getByText("No merge request matches").waitFor();
  expect(search()).toBe("?direction=asc&draft=true");
  await press("Clear filters");
  await links("Add docs").waitFor();
  expect(search()).toBe("?direction=asc");
});

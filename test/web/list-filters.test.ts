/** The filters above a list of merge requests: people, labels, milestones and branches are chosen; saved ones are changed. */
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
  for (const name of ["ada", "rick"]) await signUp(server, name, password);
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
  await sender.send("PUT", `${at}/collaborators/rick`, { permission: "read" });
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
  await page.getByPlaceholder("Type a user name").fill("rick");
  await option("rick");
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

test("saved filters are renamed and asked for something else, by those who may", async () => {
  const own = { name: "Mine", kind: "merge_request", query: "author:me", repository: "ada/app" };
  await sender.send("POST", "/user/filters", own);
  await sender.send("POST", `${at}/filters`, { name: "To do", kind: "merge_request", query: "is:open" });
  await sender.send("POST", `${at}/filters`, { name: "Old", kind: "merge_request", query: "is:closed" });
  const dialog = page.getByRole("dialog", { name: "Change this filter" });
  await ada.goto("/ada/app/merge-requests");
  await press("Saved filters");
  await press("Change the filter Mine");
  await lookAtPage(ada);
  await dialog.getByLabel("Query").fill("is:lost");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Query").fill("author:me draft:true");
  await dialog.getByLabel("Name").fill("My drafts");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await press("Change the filter To do");
  await dialog.getByLabel("Name").fill("old");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("already").waitFor();
  await dialog.getByLabel("Name").fill("Next");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const shared = page.getByRole("region", { name: "Of the repository" });
  await shared.getByRole("button", { name: "Next", exact: true }).waitFor();
  await press("My drafts");
  await page.getByText("No merge request matches").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("author:me draft:true");

  const rick = await openVisitor(browser, server.webUrl);
  await rick.signIn("rick", password);
  await rick.goto("/ada/app/merge-requests");
  await rick.page.getByRole("button", { name: "Saved filters" }).click();
  await rick.page.getByRole("button", { name: "Next", exact: true }).waitFor();
  expect(await rick.page.getByRole("button", { name: "Change the filter Next" }).count()).toBe(0);
});

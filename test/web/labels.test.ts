/** The pages of labels and milestones: for those who maintain the repository, and for those who read it. */
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

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "app", private: false });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

test("labels: the default ones, one of its own, changed, found and deleted", async () => {
  await ada.goto("/ada/app/labels");
  await page.getByRole("heading", { name: "No labels" }).waitFor();
  await press("Add default labels");
  await page.getByText("Something does not work").waitFor();
  expect(await page.getByRole("row").count()).toBe(8);

  await press("New label");
  const dialog = page.getByRole("dialog", { name: "New label" });
  await dialog.getByLabel("Name").fill("bug");
  await dialog.getByRole("button", { name: "Create label" }).click();
  await dialog.getByText("There is a label bug already.").waitFor();
  expect(ada.troubles.splice(0).every((trouble) => trouble.includes("409"))).toBe(true);
  await dialog.getByLabel("Name").fill("priority::high");
  await dialog.getByRole("radio", { name: "Violet" }).check();
  expect(await dialog.getByLabel("Another color").inputValue()).toBe("#5319e7");
  await dialog.getByLabel("Another color").fill("#123456");
  await lookAtPage(ada);
  await dialog.getByRole("button", { name: "Create label" }).click();
  await page.getByText("Label created.").waitFor();
  const row = page.getByRole("row", { name: "priority::high" });
  await row.getByRole("button", { name: "Edit priority::high" }).click();
  const edit = page.getByRole("dialog", { name: "Edit priority::high" });
  expect(await edit.getByLabel("Another color").inputValue()).toBe("#123456");
  await edit.getByLabel("Description").fill("To be done first");
  await edit.getByRole("button", { name: "Save" }).click();
  await page.getByText("To be done first").waitFor();
  await lookAtPage(ada);

  await page.getByRole("searchbox").fill("first");
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL(/\?q=first$/);
  await page.getByText("good first issue").waitFor();
  await page.getByRole("button", { name: "Delete question" }).waitFor({ state: "detached" });
  await press("Delete priority::high");
  const sure = page.getByRole("dialog", { name: "Delete priority::high?" });
  await sure.getByText("taken off every issue").waitFor();
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Label deleted.").waitFor();
  expect(await page.getByText("To be done first").count()).toBe(0);
});

test("milestones: made, overdue, closed, and shown with how much is done", async () => {
  await ada.goto("/ada/app/labels");
  await page.getByRole("link", { name: "Milestones", exact: true }).click();
  await page.getByRole("heading", { name: "No open milestones" }).waitFor();
  await press("New milestone");
  const dialog = page.getByRole("dialog", { name: "New milestone" });
  await dialog.getByLabel("Title").fill("Version 1");
  await dialog.getByLabel("Due").fill("2020-02-29");
  await dialog.getByLabel("Description").fill("The first\none");
  await dialog.getByRole("button", { name: "Create milestone" }).click();
  await page.getByText("Milestone created.").waitFor();
  await page.getByText("The first one").waitFor();
  const { db } = server.container.platform;
  for (const state of ["open", "closed", "closed"])
    await db.query(
      `insert into work_items (id, repository_id, number, kind, title, state, milestone_id)
      select 'iss_' || n, m.repository_id, n, 'issue', 'x', $1, m.id
      from milestones m, lateral (select count(*)::int + 1 as n from work_items) c`,
      [state],
    );
  await ada.goto("/ada/app/milestones");
  const row = page.getByRole("row", { name: "Version 1" });
  await row.getByText("overdue").waitFor();
  expect(await row.getByText("Feb 29, 2020").count()).toBe(1);
  await row.getByText("2 of 3 issues closed").waitFor();
  await lookAtPage(ada);
  await press("Close Version 1");
  await page.getByRole("heading", { name: "No open milestones" }).waitFor();
  await press("Closed");
  await page.getByRole("button", { name: "Reopen Version 1" }).waitFor();
  expect(await page.getByText("overdue").count()).toBe(0);
});

test("who only reads sees both, and no buttons", async () => {
  const reader = await openVisitor(browser, server.webUrl);
  await reader.goto("/ada/app/labels");
  await reader.page.getByText("good first issue").waitFor();
  await reader.goto("/ada/app/milestones?state=closed");
  await reader.page.getByText("Version 1").waitFor();
  await lookAtPage(reader);
  expect(await reader.page.getByRole("button", { name: /Edit|Delete|New/ }).count()).toBe(0);
});

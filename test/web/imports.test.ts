/** The pages of imports: one is begun by the form, stopped, and goes on; what was imported says who wrote it there. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { archiveOf } from "../support/imports/export-archive.ts";
import { writeTexts } from "../support/imports/write-texts.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let page: Page;

beforeAll(async () => {
  const env = { FORGELINE_TASK_QUEUE: `test-import-page-${process.pid}` };
  [server, browser] = await Promise.all([startWebServer({ env }), sharedChromium()]);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

test("an import is begun, seen, stopped, and goes on", async () => {
  await ada.goto("/-/imports");
  await page.getByText("You have imported nothing yet").waitFor();
  await lookAtPage(ada);
  await ada.goto("/new");
  await page.getByRole("link", { name: "Import one from GitHub or GitLab instead" }).click();
  await page.getByLabel("Repository there").fill("octocat/hello");
  await page.getByLabel("Token").fill("ghp_secret");
  await page.getByLabel("People").fill("octocat");
  await button("Import a repository").click();
  await page.getByText("“octocat” is not of the form").waitFor();
  await lookAtPage(ada);
  await page.getByLabel("People").fill("octocat = ada");
  await button("Import a repository").click();
  await page.getByText("It begins in a moment").waitFor();
  await page.getByText("Nothing was left out").waitFor();
  await lookAtPage(ada);
  await button("Stop").click();
  await inDialog("Stop").click();
  await page.getByText("You can go on where it ended").waitFor();
  await button("Go on").click();
  await inDialog("Go on").click();
  await page.getByText("It begins in a moment").waitFor();
  await ada.goto("/-/imports");
  await page.getByRole("link", { name: "GitHub octocat/hello" }).waitFor();
  await lookAtPage(ada);
});

test("an export is uploaded instead, once, and goes on without a token", async () => {
  await ada.goto("/new/import");
  await page.getByLabel("Repository there").fill("octocat/moved");
  const bytes = await archiveOf({ "a.txt": "a" });
  const file = { name: "export.tar.gz", mimeType: "application/gzip", buffer: bytes };
  await page.getByLabel("Export").setInputFiles(file);
  expect(await page.getByLabel("Token").count()).toBe(0);
  await page.getByLabel("People").fill("octocat = nobody");
  await button("Import a repository").click();
  await page.getByRole("alert").getByText("nobody cannot be named").waitFor();
  expect(ada.troubles.splice(0).every((trouble) => trouble.includes("422"))).toBe(true);
  await lookAtPage(ada);
  await page.getByLabel("People").fill("");
  await button("Import a repository").click();
  await page.getByText("GitHub, an export").waitFor();
  await lookAtPage(ada);
  await button("Stop").click();
  await inDialog("Stop").click();
  await button("Go on").click();
  await inDialog("Go on").click();
  await page.getByText("It begins in a moment").waitFor();
  await ada.goto("/-/imports");
  await button("Remove export.tar.gz").click();
  await inDialog("Remove").click();
  await page.getByRole("dialog").getByText("An import reads this archive").waitFor();
  expect(ada.troubles.splice(0).every((trouble) => trouble.includes("409"))).toBe(true);
  await page.keyboard.press("Escape");
  await lookAtPage(ada);
  const archives = await page.evaluate(async () => (await fetch("/api/v1/imports/archives")).json());
  expect(archives).toHaveLength(1);
});

test("somebody is named afterwards, is asked, and agrees", async () => {
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  const { json } = await sender.send("GET", "/repos/ada/hello");
  await sender.send("PATCH", "/repos/ada/hello", { visibility: "public" });
  await writeTexts(server, json.id, "github.com/hubot");
  await signUp(server, "bob", password);
  await ada.goto("/ada/hello");
  await page.getByText("being imported", { exact: true }).waitFor();
  await page.getByRole("link", { name: "See how far it is" }).click();
  await page.getByRole("link", { name: "GitHub octocat/hello" }).waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "GitHub octocat/hello" }).click();
  await button("Name hubot").click();
  await page.getByLabel("User name").fill("bob");
  await inDialog("Name").click();
  await page.getByRole("cell", { name: "bob", exact: true }).waitFor();
  await lookAtPage(ada);
  const bob = await openVisitor(browser, server.webUrl);
  await bob.signIn("bob", password);
  await bob.goto("/");
  await bob.page.getByText("You are asked whether imported texts are yours.").waitFor();
  await bob.page.getByRole("link", { name: "Answer", exact: true }).click();
  await bob.page.getByText("hubot (imported from github.com)").waitFor();
  await lookAtPage(bob);
  await bob.page.getByRole("button", { name: "They are mine: hubot" }).click();
  await bob.page.getByRole("dialog").getByRole("button", { name: "They are mine", exact: true }).click();
  await bob.page.getByText("Nobody asks you about imported texts").waitFor();
  await bob.page.getByText("The texts show your account in a moment.").waitFor();
});

test("what was imported says who wrote it, and leads to no account of that name", async () => {
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await signUp(server, "octocat", password);
  const { json } = await sender.send("POST", "/repos", { name: "code" });
  const { importWriter } = server.container.collaboration;
  await server.container.platform.db.transaction(async (tx) => {
    const at = { createdAt: new Date("2020-01-01"), updatedAt: new Date("2020-01-01") };
    const by = { userId: null, name: "github.com/octocat" };
    const issue = {
      title: "Old",
      body: "Words",
      labels: [],
      assigneeIds: [],
      milestone: null,
      locked: false,
    };
    const state = { state: "open", reason: null, closedAt: null } as const;
    await importWriter.issue(tx, json.id, { number: 1, ...issue, ...state, ...at, by });
  });
  await ada.goto("/ada/code/issues/1");
  await page.getByText("octocat (imported from github.com)").first().waitFor();
  expect(await page.getByRole("main").getByRole("link", { name: "octocat" }).count()).toBe(0);
  await lookAtPage(ada);
  await ada.goto("/ada/code/issues");
  await page.getByText("by octocat (imported from github.com)").waitFor();
});

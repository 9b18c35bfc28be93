/** What a branch of a fork would bring is shown before it is proposed, and where it conflicts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp } from "../support/browser.ts";
import { contentsOf } from "../support/web/contents.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let bob: Visitor;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  const [ada, rob] = [openBrowser(server), openBrowser(server)];
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  await ada.signIn("ada", password);
  await rob.signIn("bob", password);
  await ada.send("POST", "/repos", { name: "app", readme: true, private: false });
  const here = contentsOf(ada, "/repos/ada/app");
  await here.write("main", "retries.txt", "one\n", "Count retries");
  await rob.send("POST", "/repos/ada/app/forks", { name: "mine" });
  const there = contentsOf(rob, "/repos/bob/mine");
  await there.branch("fix", "retries.txt", "three\n", "Retry three times");
  await there.branch("docs", "docs.txt", "Read me\n", "Write docs");
  await here.write("main", "retries.txt", "two\n", "Retry twice");
  bob = await openVisitor(browser, server.webUrl);
  bob.page.setDefaultTimeout(8_000);
  await bob.signIn("bob", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

test("commits and files of a fork are shown before they are proposed", async () => {
  const { page } = bob;
  await bob.goto("/ada/app/merge-requests/new?source_repo=bob%2Fmine&source=docs");
  await page.getByText("1 commit, 1 file").waitFor();
  const commit = page.getByRole("link", { name: "Write docs" });
  expect(await commit.getAttribute("href")).toMatch(/^\/bob\/mine\/commit\//);
  await page.getByText("Read me").waitFor();
  expect(await page.getByText("This conflicts with main.").count()).toBe(0);
  const file = page.getByRole("link", { name: "View file docs.txt" });
  expect(await file.getAttribute("href")).toMatch(/^\/bob\/mine\/blob\//);
  await lookAtPage(bob);
  await page.getByRole("button", { name: "Create merge request" }).click();
  await page.getByRole("heading", { name: "Write docs !1" }).waitFor();
});

test("conflicts are named before, and what is not there is said to be so", async () => {
  const { page } = bob;
  await bob.goto("/ada/app/merge-requests/new?source_repo=bob%2Fmine&source=fix");
  await page.getByText("This conflicts with main.").waitFor();
  await page.getByRole("listitem").getByText("retries.txt", { exact: true }).waitFor();
  await lookAtPage(bob);
  await bob.goto("/ada/app/compare/main...fix?head_repo=bob%2Fmine");
  await page.getByText("three", { exact: true }).waitFor();
  expect(await page.title()).toContain("bob/mine:fix");
  await lookAtPage(bob);
  await bob.goto("/ada/app/merge-requests/new?source_repo=bob%2Fmine&source=absent");
  await page.getByText("There are no two such branches.").waitFor();
});

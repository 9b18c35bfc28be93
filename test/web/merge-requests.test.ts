/** The pages of merge requests: created from two branches, or from a fork's, talked about, merged, closed, found; and what a reader sees of that. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page, Route } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { contentsOf, type Contents } from "../support/web/contents.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let reader: Visitor;
let sender: Sender;
let write: Contents["write"];
let branch: Contents["branch"];
let page: Page;
const at = "/repos/ada/app";
const evil = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;

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
  await sender.send("PUT", `${at}/collaborators/bob`, { permission: "read" });
  ({ write, branch } = contentsOf(sender, at));
  await write("main", "retries.txt", "one\n", "Count retries");
  await branch("fix", "retries.txt", "three\n", "Retry three times\n\n- [ ] measure it\n- [ ] tell Bob");
  await branch("other", "retries.txt", "two\n", "Retry twice");
  await branch(`odd${"/name".repeat(3)}`, "odd.txt", "odd\n", evil);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const shown = async (number: number) => (await sender.send("GET", `${at}/merge-requests/${number}`)).json;

test("one is created from a branch, with what its commit says", async () => {
  await ada.goto("/ada/app/merge-requests");
  await page.getByText("No open merge requests").waitFor();
  await lookAtPage(ada);
  await ada.goto("/ada/app/branches");
  await page.getByRole("link", { name: "Create merge request for fix" }).click();
  await page.getByText("1 commit, 1 file").waitFor();
  expect(await page.getByLabel("Title").inputValue()).toBe("Retry three times");
  expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toContain("- [ ] measure it");
  await lookAtPage(ada);
  await page.getByLabel("Draft").check();
  await press("Create merge request");
  await page.getByRole("heading", { name: "Retry three times !1" }).waitFor();
  await page.getByText("wants to merge 1 commit into main from fix").waitFor();
  expect(await page.title()).toBe("Retry three times (!1) · ada/app · Forgeline");
});

test("it is talked about, looked at, and marked as ready", async () => {
  await page.getByRole("checkbox", { name: "measure it" }).check();
  await expect.poll(async () => (await shown(1)).description).toContain("- [x] measure it");
  await page.getByRole("textbox", { name: "Add a comment" }).fill("Like !1 itself.");
  await press("Comment");
  await page.getByRole("article").getByText("Like !1 itself.").waitFor();
  await press("Mark as ready");
  await page.getByText("marked this as ready").waitFor();
  await page.getByText("No conflicts with main.").waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "Commits", exact: false }).last().click();
  await page.waitForURL(/merge-requests\/1\/commits$/);
  await page.getByRole("link", { name: "Retry three times", exact: true }).waitFor();
  await page.getByRole("link", { name: "Files changed" }).click();
  await page.waitForURL(/merge-requests\/1\/files$/);
  await page.getByRole("table").getByText("three").waitFor();
  await lookAtPage(ada);
});

test("a head that has moved is not merged unseen", async () => {
  await ada.goto("/ada/app/merge-requests/1");
  await page.getByRole("radio", { name: "Squash" }).check();
  await press("Edit the commit message");
  expect(await page.getByLabel("Commit message").inputValue()).toMatch(
    /^Retry three times \(!1\)\n\n- \[x\]/,
  );
  await page.getByLabel("Commit message").fill("Retry three times, measured");
  await page.getByRole("checkbox", { name: "Delete fix afterwards" }).check();
  const { head_sha: head } = await shown(1);
  const moveFirst = async (route: Route) => {
    await write("fix", "more.txt", "more\n", "Measure it");
    await route.continue();
  };
  await page.route("**/merge", moveFirst, { times: 1 });
  await press("Squash and merge");
  await page.getByText("It was not merged").waitFor();
  await page.getByText("pushed new commits").waitFor();
  ada.forgiveRefusals();
  await expect.poll(async () => (await shown(1)).mergeable, { timeout: 15_000 }).toBe("clean");
  expect((await shown(1)).head_sha).not.toBe(head);
  expect(await page.getByRole("radio", { name: "Squash" }).isChecked()).toBe(true);
});

test("it is merged as chosen, and its branch goes", async () => {
  await page.getByText("No conflicts with main.").waitFor();
  await press("Squash and merge");
  await page.getByText("as one squashed commit").waitFor();
  await page.getByText("merged 2 commits into main from fix").waitFor();
  const { merge_sha: sha } = await shown(1);
  const { json: commit } = await sender.send("GET", `${at}/commits/${sha}`);
  expect(commit.message).toContain("Retry three times, measured");
  expect((await sender.send("GET", `${at}/branches/fix`)).status).toBe(404);
  ada.forgiveRefusals();
  await lookAtPage(ada);
});

test("its branch comes back, and what it merged is undone", async () => {
  await press("Restore branch");
  await page.getByText("restored the source branch").waitFor();
  await page.getByRole("button", { name: "Delete branch" }).waitFor();
  await press("Cherry-pick");
  await page.getByLabel("To branch").waitFor();
  await page.keyboard.press("Escape");
  await press("Revert");
  await press("Open merge request");
  await page.getByRole("heading", { name: 'Revert "Retry three times" !2' }).waitFor();
  await page.getByText("No conflicts with main.").waitFor();
});

test("a branch that is behind is updated", async () => {
  await write("main", "news.txt", "news\n", "Tell news");
  await page.getByText("lacks newer commits of main").waitFor({ timeout: 30_000 });
  await lookAtPage(ada);
  await press("How to update the branch");
  await page.getByRole("menuitem", { name: "Rebase it on main" }).waitFor();
  await page.keyboard.press("Escape");
  await press("Update branch");
  await page.getByText("pushed new commits").waitFor();
  await page.getByText("No conflicts with main.").waitFor({ timeout: 30_000 });
  expect(await page.getByText("lacks newer commits of main").count()).toBe(0);
});

test("one with conflicts says where they are, and is closed", async () => {
  await ada.goto("/ada/app/merge-requests/new?source=other");
  await press("Create merge request");
  await page.getByText("Conflicts with main", { exact: true }).waitFor();
  await page.getByText("retries.txt").waitFor();
  expect(await page.getByRole("button", { name: /Merge|Squash/ }).count()).toBe(0);
  await lookAtPage(ada);
  await press("Close merge request");
  await page.getByText("It was closed without being merged.").waitFor();
  await press("Reopen merge request");
  await page.getByText("reopened this").waitFor();
  await ada.goto("/ada/app/merge-requests/new?source=other");
  await page.getByText("These branches have an open merge request already:").waitFor();
});

test("conflicts are resolved on a page of their own, by keys and by hand", async () => {
  const lines = (second: string) => `1\n${second}\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n`;
  await write("main", "both.txt", lines("of main\u202e"), "Write both");
  await write("other", "both.txt", lines("of other"), "Write both");
  await ada.goto("/ada/app/merge-requests/3");
  await page.getByRole("link", { name: "Resolve conflicts" }).click();
  await page.waitForURL(/merge-requests\/3\/conflicts$/);
  await page.locator("[data-code='U+202E']").waitFor();
  await lookAtPage(ada);
  expect(await page.getByRole("button", { name: "Commit resolution" }).isDisabled()).toBe(true);
  await page.keyboard.press("n");
  await page.keyboard.press("3");
  await page.getByText("1 of 2 files are resolved.").waitFor();
  await page.getByRole("button", { name: "retries.txt" }).click();
  await press("Edit the text");
  const field = page.getByRole("textbox", { name: "Text of retries.txt" });
  expect(await field.inputValue()).toContain("<<<<<<< other\ntwo\n=======\nthree\n>>>>>>> main\n");
  await lookAtPage(ada);
  await field.fill("two or three\n");
  await page.getByText("All files are resolved.").waitFor();
  await press("Commit resolution");
  await page.waitForURL(/merge-requests\/3$/);
  await page.getByText("No conflicts with main.").waitFor();
  const textOf = async (path: string) => {
    const { json } = await sender.send("GET", `${at}/contents/${path}?ref=other`);
    return Buffer.from(json.content, "base64").toString();
  };
  expect(await textOf("both.txt")).toBe(lines("of other\nof main\u202e"));
  expect(await textOf("retries.txt")).toBe("two or three\n");
});

test("they are found by filters in the address", async () => {
  await ada.goto("/ada/app/merge-requests?state=merged");
  await page.getByRole("link", { name: "Retry three times" }).waitFor();
  await ada.goto("/ada/app/merge-requests?state=all&author=ada&q=twice");
  await page.getByRole("link", { name: "Retry twice" }).waitFor();
  expect(await page.getByRole("link", { name: "Retry three times" }).count()).toBe(0);
  await lookAtPage(ada);
  await press("Clear filters");
  await page.getByRole("link", { name: "Retry three times", exact: true }).waitFor();
});

test("a template proposes the description until something is typed", async () => {
  const folder = ".forgeline/merge-request-templates";
  await write("main", `${folder}/change.md`, "---\nlabels: change\n---\nWhy:\n", "Add a template");
  await ada.goto("/ada/app/merge-requests/new?source=other&target=odd%2Fname%2Fname%2Fname");
  const field = page.getByRole("textbox", { name: "Description" });
  await expect.poll(() => field.inputValue()).toBe("Why:\n");
  await lookAtPage(ada);
  await page.getByLabel("Template").selectOption("None");
  expect(await field.inputValue()).toBe("");
  await field.fill("Because.");
  await page.getByLabel("Template").selectOption("Change");
  expect(await field.inputValue()).toBe("Because.");
  await page.getByText("What you have written stays.").waitFor();
});

test("what others wrote is text, and who only reads finds nothing to press", async () => {
  await ada.goto(`/ada/app/merge-requests/new?source=${encodeURIComponent("odd/name/name/name")}`);
  expect(await page.getByLabel("Title").inputValue()).toBe(evil);
  await press("Create merge request");
  await page.getByRole("heading", { name: evil }).waitFor();
  reader = await openVisitor(browser, server.webUrl);
  await reader.signIn("bob", password);
  await reader.goto("/ada/app/merge-requests/4");
  await reader.page.getByRole("heading", { name: evil }).waitFor();
  await reader.page.getByText("takes the permission Write").waitFor();
  expect(await reader.page.getByRole("button", { name: /Merge|Edit|Close|draft/ }).count()).toBe(0);
  expect(await reader.page.locator("main script, main [onerror]").count()).toBe(0);
  await lookAtPage(reader);
});

test("what a merge closes stands beside it, and beside the issue", async () => {
  const { json: issue } = await sender.send("POST", `${at}/issues`, { title: "Too few retries" });
  const description = `Fixes #${issue.number}`;
  await sender.send("PATCH", `${at}/merge-requests/3`, { description });
  await ada.goto("/ada/app/merge-requests/3");
  await page.getByRole("heading", { name: "Will close" }).waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "Too few retries" }).first().click();
  await page.getByRole("heading", { name: "Will be closed by" }).waitFor();
  await page.getByRole("link", { name: "Retry twice" }).first().waitFor();
  await lookAtPage(ada);
});

test("a branch of a fork is proposed to what it was forked from", async () => {
  const bob = openBrowser(server);
  await bob.signIn("bob", password);
  await bob.send("POST", `${at}/forks`, {});
  await bob.send("POST", "/repos/bob/app/branches", { name: "idea", ref: "main" });
  const content = Buffer.from("an idea\n").toString("base64");
  const file = { branch: "idea", message: "Have an idea", content };
  expect((await bob.send("PUT", "/repos/bob/app/contents/idea.txt", file)).status).toBe(200);
  await reader.goto("/bob/app/branches");
  await reader.page.getByRole("link", { name: "Create merge request for idea" }).click();
  await reader.page.waitForURL(/\/ada\/app\/merge-requests\/new/);
  await reader.page.getByText("bob/app is not public.").waitFor();
  expect(await reader.page.getByLabel("From repository").inputValue()).toBe("bob/app");
  expect(await reader.page.locator("#branches-for-source option").allTextContents()).toContain("idea");
  expect(await reader.page.getByLabel("Title").inputValue()).toBe("Have an idea");
  const edits = reader.page.getByLabel("Allow edits by maintainers");
  expect(await edits.isChecked()).toBe(true);
  await lookAtPage(reader);
  await reader.page.getByRole("button", { name: "Create merge request" }).click();
  await reader.page.getByText("wants to merge 1 commit into main from bob:idea").waitFor();
  await reader.page.getByRole("button", { name: "Edit", exact: true }).click();
  await edits.uncheck();
  await reader.page.getByRole("button", { name: "Save" }).click();
  await reader.page.getByText("Saved.").waitFor();
  const number = Number(/\d+$/.exec(new URL(reader.page.url()).pathname)?.[0]);
  expect(await shown(number)).toMatchObject({ maintainer_can_modify: false });
  await lookAtPage(reader);
  await ada.goto("/ada/app/merge-requests");
  await page.getByText("bob:idea into main").waitFor();
  expect((await bob.send("DELETE", "/repos/bob/app")).status).toBe(204);
  await page.getByRole("link", { name: "Have an idea" }).click();
  await page.getByText("idea of a deleted repository").waitFor();
  await page.getByText("No conflicts with main.").waitFor();
  expect(await page.getByRole("checkbox", { name: /^Delete / }).count()).toBe(0);
});

test("one that waits is merged when it is ready, unless that is cancelled", async () => {
  await branch("late", "late.txt", "late\n", "Wait for it");
  const wanted = { title: "Wait for it", source_branch: "late", target_branch: "main", draft: true };
  const { number } = (await sender.send("POST", `${at}/merge-requests`, wanted)).json;
  await ada.goto(`/ada/app/merge-requests/${number}`);
  const wait = async () => {
    await press("Merge when ready…");
    await page.getByRole("dialog").getByRole("button", { name: "Merge when ready" }).click();
    await page.getByText(/It will be merged .* as soon as nothing/).waitFor();
  };
  await wait();
  await lookAtPage(ada);
  await press("Cancel auto-merge");
  await page.getByText("ended the wait for merging this by itself: it was cancelled.").waitFor();
  await wait();
  await press("Mark as ready");
  await expect.poll(async () => (await shown(number)).state, { timeout: 15_000 }).toBe("merged");
  await page.getByText("merged 1 commit into main from late").waitFor();
});

/** Reviews in the browser: comments on lines, threads, verdicts, and what of them stands on which page. And the merge queue, which comes after them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Locator, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let bob: Visitor;
let sender: Sender;
const at = "/repos/ada/app";
const files = "/ada/app/merge-requests/1/files";
const lines = (changed: Record<number, string>) =>
  Array.from({ length: 60 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  [ada, bob] = await Promise.all([openVisitor(browser, server.webUrl), openVisitor(browser, server.webUrl)]);
  for (const { page } of [ada, bob]) page.setDefaultTimeout(8_000);
  await ada.signIn("ada", password);
  await bob.signIn("bob", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "app", readme: true });
  await sender.send("PUT", `${at}/collaborators/bob`, { permission: "write" });
  await write("main", "code.txt", lines({}));
  await sender.send("POST", `${at}/branches`, { name: "fix", ref: "main" });
  await write("fix", "code.txt", lines({ 10: "ten", 11: "eleven", 40: "forty" }));
  await write("fix", "other.txt", "other\n");
  await sender.send("POST", `${at}/merge-requests`, { title: "Spell numbers", source_branch: "fix" });
  await compared();
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

async function write(branch: string, path: string, content: string): Promise<void> {
  const { json } = await sender.send("GET", `${at}/contents/${path}?ref=${branch}`);
  const answer = await sender.send("PUT", `${at}/contents/${path}`, {
    branch,
    message: `Write ${path}`,
    content: Buffer.from(content).toString("base64"),
    ...(json.sha === undefined ? {} : { sha: json.sha }),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
}

const shown = async (part = "") => (await sender.send("GET", `${at}/merge-requests/1${part}`)).json;
const compared = () => eventually(async () => (await shown()).mergeable !== "checking");
const file = (page: Page, path: string) => page.getByRole("region", { name: path, exact: true });
const press = (within: Page | Locator, name: string) =>
  within.getByRole("button", { name, exact: true }).click();
const line = (page: Page, number: number) =>
  file(page, "code.txt").getByRole("link", { name: `Line ${number} after` });

test("the start page shows what waits for one's review, for as long as it does", async () => {
  await bob.goto("/");
  await bob.page.getByRole("heading", { name: "Your repositories" }).waitFor();
  expect(await bob.page.getByText("Waiting for your review").count()).toBe(0);
  const asked = `${at}/merge-requests/1/reviewers`;
  await sender.send("PUT", asked, { reviewers: ["bob"] });
  await bob.page.reload();
  const waiting = bob.page.getByRole("list", { name: "Waiting for your review" });
  await waiting.getByText("ada/app!1").waitFor();
  await lookAtPage(bob);
  await waiting.getByRole("link", { name: "Spell numbers" }).click();
  await bob.page.getByRole("heading", { name: "Spell numbers !1" }).waitFor();
  await sender.send("PUT", asked, { reviewers: [] });
});

test("a review is begun by pointer and by keys, and nobody else sees it", async () => {
  const { page } = bob;
  await bob.goto(files);
  await line(page, 10).hover();
  await press(page, "Comment on this line");
  await page.getByRole("textbox", { name: "Comment on line 10" }).fill("Why not `10`?");
  await press(page, "Start a review");
  await page.getByText("1 pending comment", { exact: true }).waitFor();
  await line(page, 40).click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Comment on lines 40 to 41" }).fill("Both?");
  await press(page, "Add to review");
  await page.getByText("2 pending comments", { exact: true }).waitFor();
  await file(page, "code.txt").getByRole("region", { name: "Thread on lines 40 to 41" }).waitFor();
  expect(await shown("/threads")).toEqual([]);
  await lookAtPage(bob);
});

test("it is submitted with a verdict, and stands in the conversation", async () => {
  const { page } = bob;
  await page.getByRole("heading", { name: /changed files/ }).click();
  await page.keyboard.press("a");
  expect(await page.getByRole("radio", { name: "Approve" }).isChecked()).toBe(true);
  await page.getByRole("radio", { name: "Request changes" }).check();
  await page.getByRole("textbox", { name: "Review" }).fill("Nearly there.");
  await page.getByRole("dialog").getByRole("button", { name: "Submit review" }).click();
  await page.getByText("Review submitted.").waitFor();
  await bob.goto("/ada/app/merge-requests/1");
  const review = page.getByRole("article").filter({ hasText: "Nearly there." });
  await review.getByText("requested changes").waitFor();
  await page.getByText("2 unresolved threads").waitFor();
  await page.getByRole("complementary").getByText("Requested changes").waitFor();
  await lookAtPage(bob);
  expect((await shown("/threads")).map(({ line: at }: { line: number }) => at)).toEqual([10, 41]);
});

test("its threads are answered and resolved, side by side as well", async () => {
  const { page } = ada;
  await ada.goto(`${files}#diff-code.txt:R10`);
  await press(page, "Side by side");
  const thread = file(page, "code.txt").getByRole("region", { name: "Thread on line 10", exact: true });
  await press(thread, "Reply");
  await thread.getByRole("textbox", { name: "Reply" }).fill("Words are nicer.");
  await press(thread, "Reply now");
  await thread.getByRole("article").getByText("Words are nicer.").waitFor();
  await press(thread, "Resolve");
  await thread.getByText("resolved this").waitFor();
  await page.getByText("1 unresolved thread", { exact: true }).waitFor();
  expect(await thread.getByText("Words are nicer.").count()).toBe(0);
  await press(page, "Review changes");
  await page.getByText("Others approve your merge request").waitFor();
  expect(await page.getByRole("radio").count()).toBe(0);
  await page.keyboard.press("Escape");
  await press(page, "Unified");
});

test("one whose lines change is outdated, and keys lead to it", async () => {
  const { page } = ada;
  await write("fix", "code.txt", lines({ 3: "three", 10: "ten", 11: "eleven", 40: "fourty", 41: "one" }));
  await compared();
  await ada.goto(files);
  const thread = file(page, "code.txt").getByRole("region", { name: "Thread on lines 40 to 41" });
  await thread.getByText("Outdated").waitFor();
  await thread.getByText("forty", { exact: true }).waitFor();
  await page.keyboard.press("n");
  await thread.and(page.locator(":focus")).waitFor();
});

test("a suggestion is applied, files are marked as viewed, and only what is new is shown", async () => {
  const { page } = bob;
  await bob.goto(files);
  await page.getByRole("checkbox", { name: "Viewed other.txt" }).waitFor();
  await line(page, 11).hover();
  await press(page, "Comment on this line");
  await press(page, "Insert suggestion");
  const field = page.getByRole("textbox", { name: "Comment on line 11" });
  await expect.poll(() => field.inputValue()).toBe("```suggestion\neleven\n```\n");
  await field.fill("```suggestion\nelf\n```");
  await press(page, "Add single comment");
  const suggestion = page.getByRole("group", { name: "Suggested change" });
  await suggestion.getByText("elf").waitFor();
  await lookAtPage(bob);
  await file(page, "other.txt").getByRole("button", { name: "Collapse other.txt" }).focus();
  await page.keyboard.press("v");
  await page.getByText("1 of 2 viewed").waitFor();
  await page.getByRole("button", { name: "Expand other.txt" }).waitFor();
  await press(suggestion, "Apply suggestion");
  await press(page.getByRole("dialog"), "Apply");
  await page.getByText("Suggestion applied.").waitFor();
  await compared();
  await bob.goto(files);
  await file(page, "code.txt").getByRole("table").getByText("elf").waitFor();
  await page.getByRole("button", { name: "Expand other.txt" }).waitFor();
  const choice = page.getByRole("combobox", { name: "Changes shown" });
  const since = await choice.locator("option", { hasText: "Since your last review" }).getAttribute("value");
  await choice.selectOption(since);
  await page.getByRole("heading", { name: /^1 changed file / }).waitFor();
  await file(page, "code.txt").getByRole("table").getByText("elf").waitFor();
});

test("a file is edited on a new branch, and proposed from there", async () => {
  const { page } = bob;
  await bob.goto("/ada/app/edit/main/code.txt");
  await page.getByRole("textbox", { name: "Content" }).fill("one\n");
  await page.getByLabel("A new branch, to propose it in a merge request").check();
  await page.getByLabel("New branch", { exact: true }).fill("fix");
  await press(page, "Save");
  await page.getByText("already exists").waitFor();
  bob.forgiveRefusals();
  await page.getByLabel("New branch", { exact: true }).fill("shorter");
  await lookAtPage(bob);
  await press(page, "Save");
  await page.waitForURL(`${server.webUrl}/ada/app/merge-requests/new?source=shorter&target=main`);
  await page.getByRole("button", { name: "Create merge request" }).waitFor();
});

test("the merge box says each thing that is missing once, and that unsigned commits can be squashed", async () => {
  const { page } = ada;
  for (const name of ["strict", "unsigned"])
    await sender.send("POST", `${at}/branches`, { name, ref: "main" });
  await sender.send("PUT", `${at}/contents/unsigned.txt`, {
    branch: "unsigned",
    message: "Write",
    content: "dGV4dAo=",
    author: { name: "Eve", email: "eve@example.org" },
  });
  const wanted = { title: "Add unsigned", source_branch: "unsigned", target_branch: "strict" };
  const { number } = (await sender.send("POST", `${at}/merge-requests`, wanted)).json;
  const rule = {
    pattern: "strict",
    required_approvals: 2,
    require_pipeline: true,
    require_signed_commits: true,
  };
  const { id } = (await sender.send("POST", `${at}/branch-protections`, rule)).json;
  await ada.goto(`/ada/app/merge-requests/${number}`);
  const box = page.getByRole("region", { name: "Merge" });
  await box.getByText("Approvals: 0 of 2").waitFor();
  await box.getByText("It can be squashed all the same.").waitFor();
  await box.getByText("It cannot be merged now").waitFor();
  expect(await box.getByRole("listitem").allTextContents()).toEqual(["No run has succeeded for its head."]);
  expect(await box.getByText("missing").count()).toBe(0);
  await lookAtPage(ada);
  await sender.send("PATCH", `${at}/branch-protections/${id}`, { merge_strategies: ["merge"] });
  await page.reload();
  await box.getByText("Sign them, and push them again.").waitFor();
  expect(await box.getByText("not signed").count()).toBe(1);
});

test("what is reviewed goes into the merge queue: its place is shown, the order is changed, and it lands", async () => {
  const { page } = ada;
  await sender.send("POST", `${at}/branches`, { name: "release", ref: "main" });
  const numbers: number[] = [];
  for (const name of ["one", "two"]) {
    await sender.send("POST", `${at}/branches`, { name, ref: "main" });
    await write(name, `${name}.txt`, name);
    const wanted = { title: `Add ${name}`, source_branch: name, target_branch: "release" };
    numbers.push((await sender.send("POST", `${at}/merge-requests`, wanted)).json.number);
  }
  const [one, two] = numbers;
  const settings = { max_batch: 1, parallel_batches: 2 };
  const rule = { pattern: "release", merge_queue: settings };
  expect((await sender.send("POST", `${at}/branch-protections`, rule)).status).toBe(201);
  await ada.goto("/ada/app/merge-queue?branch=release");
  await page.getByText("Nothing waits", { exact: true }).waitFor();
  await press(page, "Pause");
  await page.getByText("Paused by ada: nothing is tested and nothing lands.").waitFor();
  expect((await sender.send("POST", `${at}/merge-queue`, { number: one })).status).toBe(201);
  await ada.goto(`/ada/app/merge-requests/${two}`);
  await press(page, "Add to merge queue");
  await page.getByText("It is number 2 in the merge queue.").waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "Show the queue" }).click();
  await page
    .getByRole("row", { name: /Add two/ })
    .getByRole("button", { name: "Put first" })
    .click();
  await page.getByText("It is the next one.").waitFor();
  await expect.poll(() => page.getByRole("row", { name: /Add / }).first().textContent()).toContain("Add two");
  await lookAtPage(ada);
  await press(page.getByRole("row", { name: /Add one/ }), "Take out");
  await page.getByRole("row", { name: /Add one/ }).waitFor({ state: "detached" });
  await press(page, "Go on");
  const stateOf = async (number = 0) =>
    (await sender.send("GET", `${at}/merge-requests/${number}`)).json.state;
  await expect.poll(() => stateOf(two), { timeout: 20_000 }).toBe("merged");
  expect(await stateOf(one)).toBe("open");
});

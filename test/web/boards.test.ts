/** Boards and the search in all repositories: seen, changed, and used with the keyboard alone. */
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
let send: ReturnType<typeof openBrowser>["send"];

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  send = sender.send.bind(sender);
  await send("POST", "/repos", { name: "app", private: false });
  for (const name of ["todo", "doing", "bug"]) await send("POST", "/repos/ada/app/labels", { name });
  for (const title of ["First", "Second", "Third"])
    await send("POST", "/repos/ada/app/issues", { title, labels: title === "Second" ? ["bug"] : [] });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const focused = () => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')");
const cards = async (column: string) =>
  page
    .getByRole("region", { name: column, exact: true })
    .getByRole("group")
    .evaluateAll((all) => all.map((card) => card.getAttribute("aria-label")));

test("a board is made, issues move on it by keyboard and pointer, and a refusal takes them back", async () => {
  await ada.goto("/ada/app/boards");
  await page.getByRole("heading", { name: "No boards yet" }).waitFor();
  await press("New board");
  const dialog = page.getByRole("dialog", { name: "New board" });
  await dialog.getByLabel("Name").fill("Flow");
  for (const label of ["doing", "todo"]) await dialog.getByLabel("Add a column").selectOption(label);
  await dialog.getByRole("button", { name: "Move todo to the left" }).click();
  await lookAtPage(ada);
  await dialog.getByRole("button", { name: "Create board" }).click();
  await page.getByRole("group", { name: "#3 Third" }).waitFor();
  await lookAtPage(ada);
  expect(await cards("Open")).toEqual(["#3 Third", "#2 Second", "#1 First"]);

  const status = page.getByRole("status").filter({ hasText: "#" });
  await page.getByRole("group", { name: "#2 Second" }).focus();
  await page.keyboard.press("Space");
  await status.filter({ hasText: "#2 taken up. Open, 2 of 3." }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  expect(await cards("Open")).toEqual(["#3 Third", "#2 Second", "#1 First"]);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await status.filter({ hasText: "#2 put down in todo." }).waitFor();
  await expect.poll(() => cards("todo")).toEqual(["#2 Second"]);
  await expect.poll(focused).toBe("#2 Second");
  const labels = async () =>
    ((await send("GET", "/repos/ada/app/issues/2")).json.labels as { name: string }[]).map(
      ({ name }) => name,
    );
  await expect.poll(labels).toEqual(["bug", "todo"]);

  await page.getByRole("group", { name: "#1 First" }).dragTo(page.getByRole("group", { name: "#3 Third" }), {
    targetPosition: { x: 20, y: 2 },
  });
  await expect.poll(() => cards("Open")).toEqual(["#1 First", "#3 Third"]);
  await page.reload();
  await page.getByRole("group", { name: "#1 First" }).waitFor();
  expect(await cards("Open")).toEqual(["#1 First", "#3 Third"]);

  await press("Add an issue to todo");
  await page.getByLabel("Title of the new issue").fill("Fourth");
  await press("Add");
  await page.getByText("Issue created.").waitFor();
  await page.getByRole("group", { name: "#4 Fourth" }).waitFor();
  expect(await cards("todo")).toEqual(["#4 Fourth", "#2 Second"]);

  const { columns } = (await send("GET", `/repos/ada/app/boards/${page.url().split("/").at(-1)}`)).json as {
    columns: { id: string; label: { name: string } | null }[];
  };
  await page.getByRole("group", { name: "#4 Fourth" }).focus();
  await page.keyboard.press("e");
  const change = page.getByRole("dialog", { name: "#4 Fourth" });
  await change.getByRole("button", { name: "Assign yourself" }).click();
  await change.getByRole("link", { name: "ada" }).waitFor();
  await change.getByLabel("Column").selectOption("doing");
  await expect.poll(() => cards("doing")).toEqual(["#4 Fourth"]);
  await lookAtPage(ada);
  await change.getByRole("button", { name: "Close" }).click();
  await send("PATCH", "/repos/ada/app/issues/3", { labels: ["todo"] });
  await page.getByRole("button", { name: "Limit of todo" }).click();
  const limit = page.getByRole("dialog", { name: "Limit of todo" });
  await limit.getByLabel("At most this many issues").fill("1");
  await lookAtPage(ada);
  await limit.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 more than wanted").waitFor();
  await page.getByText("2 issues, at most 1 wanted").waitFor({ state: "attached" });
  await lookAtPage(ada);
  await send("PATCH", "/repos/ada/app/issues/3", { labels: [] });
  await press("Assigned to me");
  await expect.poll(() => cards("todo")).toEqual([]);
  await expect.poll(() => cards("doing")).toEqual(["#4 Fourth"]);
  await send("PATCH", "/repos/ada/app/issues/4", { assignees: [] });
  await press("Clear the filter");
  await expect.poll(() => cards("todo")).toEqual(["#2 Second"]);
  await page.getByLabel("Filter the board").fill("is:nothing");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  ada.forgiveRefusals();
  await lookAtPage(ada);
  expect(await page.getByRole("alert").count()).toBe(1);
  await press("Clear the filter");
  await page.getByRole("group", { name: "#3 Third" }).waitFor();

  // The page is not to learn by itself that the column is gone.
  const reads = /\/boards\/brd_[^/?]+(\/columns\/.*)?(\?.*)?$/;
  await page.route(reads, (route) => route.abort());
  const doing = columns.find(({ label }) => label?.name === "doing")?.id;
  await send("DELETE", `/repos/ada/app/labels/${doing}`);
  await page.getByRole("group", { name: "#3 Third" }).focus();
  for (const key of ["Space", "ArrowRight", "ArrowRight", "Space"]) await page.keyboard.press(key);
  await page.getByText("The board has no such column.").waitFor();
  await expect.poll(() => cards("Open")).toEqual(["#1 First", "#3 Third"]);
  await page.unroute(reads);
  await page.getByRole("region", { name: "doing", exact: true }).waitFor({ state: "detached" });
  await expect.poll(() => cards("Open")).toEqual(["#1 First", "#4 Fourth", "#3 Third"]);
  const todo = columns.find(({ label }) => label?.name === "todo")?.id;
  await send("PATCH", `/repos/ada/app/labels/${todo}`, { name: "next" });
  await page.getByRole("region", { name: "next", exact: true }).waitFor();
  expect(ada.troubles.splice(0).filter((trouble) => !/404|422|ERR_FAILED/.test(trouble))).toEqual([]);
});

test("the search shows one's own first, and filters are saved", async () => {
  await ada.goto("/search/issues");
  await page.getByRole("link", { name: "Second" }).waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "Assigned to you" }).click();
  await page.getByRole("heading", { name: "Nothing found" }).waitFor();
  const field = page.getByRole("searchbox", { name: "Search in all repositories" });
  await field.fill("label:bug sec");
  await field.press("Enter");
  await page.getByText("1 result").waitFor();
  await press("Saved filters");
  await page.getByLabel("Name").fill("Bugs");
  await press("Save this filter");
  await page.getByText("Filter saved.").waitFor();
  await page.keyboard.press("Escape");
  await field.fill('is:open "x');
  await field.press("Enter");
  await page.getByText("The quotation mark is not closed (character 9).").waitFor();
  expect(ada.troubles.splice(0).every((trouble) => trouble.includes("422"))).toBe(true);
  await press("Saved filters");
  await press("Bugs");
  await page.getByText("1 result").waitFor();
  await ada.goto("/search/merge-requests");
  await page.getByRole("heading", { name: "Nothing found" }).waitFor();
});

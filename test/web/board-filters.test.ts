/** The filter of a board: chosen from lists, kept ones, and what issues get that are added under one. */
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
const at = "/repos/ada/app";

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
  for (const name of ["todo", "bug", "help wanted"]) await send("POST", `${at}/labels`, { name });
  await send("POST", `${at}/milestones`, { title: "Autumn 2.0" });
  await send("POST", `${at}/issues`, { title: "Crash", labels: ["bug"] });
  await send("POST", `${at}/issues`, { title: "Docs" });
  const board = await send("POST", `${at}/boards`, { name: "Flow", columns: ["todo"], filter: "-label:old" });
  await ada.goto(`/ada/app/boards/${board.json.id}`);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const option = (name: string) => page.getByRole("option", { name, exact: true }).click();
const query = () => new URL(page.url()).searchParams.get("q");
const cards = async (column: string) =>
  page
    .getByRole("region", { name: column, exact: true })
    .getByRole("group")
    .evaluateAll((all) => all.map((card) => card.getAttribute("aria-label")));

test("labels, milestones and people are chosen from lists, and the choice is kept as a filter", async () => {
  await page.getByRole("group", { name: "#2 Docs" }).waitFor();
  await press("Label");
  await option("bug");
  await expect.poll(() => cards("Open")).toEqual(["#1 Crash"]);
  await option("help wanted");
  await expect.poll(query).toBe('label:bug label:"help wanted"');
  await option("help wanted");
  await expect.poll(() => cards("Open")).toEqual(["#1 Crash"]);
  await page.keyboard.press("Escape");
  await press("Saved filters");
  await page.getByLabel("Name").fill("Bugs");
  await press("Save this filter");
  await page.getByText("Filter saved.").waitFor();
  await page.keyboard.press("Escape");
  await press("Milestone");
  await option("Autumn 2.0");
  await page.keyboard.press("Escape");
  await press("Assignee");
  await option("ada");
  await page.keyboard.press("Escape");
  await expect.poll(query).toBe('label:bug milestone:"Autumn 2.0" assignee:ada');
  await expect.poll(() => cards("Open")).toEqual([]);
  await lookAtPage(ada);
});

test("an issue that is added gets what the filter wants, and a notice says where it is hidden", async () => {
  await press("Add an issue to todo");
  const title = page.getByLabel("Title of the new issue");
  await title.fill("Fire");
  await title.press("Enter");
  await expect.poll(() => cards("todo")).toEqual(["#3 Fire"]);
  const made = (await send("GET", `${at}/issues/3`)).json as {
    labels: { name: string }[];
    milestone: { title: string };
    assignees: { username: string }[];
  };
  expect(made.labels.map(({ name }) => name)).toEqual(["bug", "todo"]);
  expect([made.milestone.title, made.assignees.map(({ username }) => username)]).toEqual([
    "Autumn 2.0",
    ["ada"],
  ]);
  await press("Saved filters");
  await press("Bugs");
  await expect.poll(query).toBe("label:bug");
  await page.keyboard.press("Escape");
  await page.getByLabel("Filter the board").fill("label:bug crash");
  await page.keyboard.press("Enter");
  await expect.poll(() => cards("todo")).toEqual([]);
  await title.fill("Smoke");
  await title.press("Enter");
  await page.getByText("#4 was created, but the filter hides it here.").waitFor();
  await lookAtPage(ada);
  await title.fill("Second crash");
  await title.press("Enter");
  await expect.poll(() => cards("todo")).toEqual(["#5 Second crash"]);
  await page.getByText("the filter hides it").waitFor({ state: "detached" });
});

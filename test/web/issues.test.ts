/** The pages of issues: opened, sorted, commented on, closed with a reason, edited, found; and what a reader sees of that. */
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
const at = "/repos/ada/app";
const evil = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "app" });
  await sender.send("PUT", `${at}/collaborators/bob`, { permission: "read" });
  await sender.send("POST", `${at}/labels`, { name: "priority::high", color: "b60205" });
  await sender.send("POST", `${at}/labels`, { name: "priority::low", color: "c5def5" });
  await sender.send("POST", `${at}/milestones`, { title: "Version 1" });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const tasks = "Steps:\n\n- [ ] install it\n- [ ] start it\n";

test("one is opened, with a label and a milestone", async () => {
  await ada.goto("/ada/app/issues");
  await page.getByText("No issues yet").waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "New issue" }).first().click();
  await page.getByLabel("Title").fill("Starting fails");
  await page.getByRole("textbox", { name: "Description" }).fill(tasks);
  await page.getByRole("button", { name: "Labels" }).click();
  await page.getByRole("combobox", { name: "Find a label" }).fill("high");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Milestone" }).click();
  await page.getByRole("option", { name: "Version 1" }).click();
  await page.keyboard.press("Escape");
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Create issue" }).click();
  await page.getByRole("heading", { name: "Starting fails #1" }).waitFor();
  await page.getByText("added the label").waitFor();
  expect(await page.title()).toBe("Starting fails #1 · ada/app · Forgeline");
});

test("its tasks are ticked, and it gets an assignee and a due date", async () => {
  await page.getByRole("checkbox", { name: "install it" }).check();
  await page.getByRole("checkbox", { name: "start it" }).check();
  await expect
    .poll(async () => (await sender.send("GET", `${at}/issues/1`)).json)
    .toMatchObject({
      body: tasks.replaceAll("[ ]", "[x]"),
    });
  await page.getByRole("button", { name: "Assignees" }).click();
  await page.getByRole("combobox", { name: "Type a user name" }).fill("nobody-here");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "nobody-here cannot be assigned" }).waitFor();
  ada.forgiveRefusals();
  await page.getByRole("option", { name: "bob" }).click();
  await page.getByText("assigned bob").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Due date" }).click();
  await page.locator("input[type=date]").fill("2020-02-03");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByText("overdue").waitFor();
  await lookAtPage(ada);
});

test("comments are written, quoted, changed and deleted", async () => {
  await page.getByRole("textbox", { name: "Add a comment" }).fill("I see it too");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  const comment = page.getByRole("article").nth(1);
  await comment.getByText("I see it too").waitFor();
  expect(page.url()).toMatch(/#cmt_\w+$/);
  await page.getByRole("button", { name: "Actions for the comment of ada" }).click();
  await page.getByRole("menuitem", { name: "Quote reply" }).click();
  expect(await page.getByRole("textbox", { name: "Add a comment" }).inputValue()).toBe("> I see it too\n\n");
  await page.getByRole("textbox", { name: "Add a comment" }).fill("");
  await page.getByRole("button", { name: "Actions for the comment of ada" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await comment.getByRole("textbox", { name: "Edit comment" }).fill("I see it as well");
  const id = new URL(page.url()).hash.slice(1);
  await sender.send("PATCH", `${at}/comments/${id}`, { body: "Said elsewhere" });
  await comment.getByRole("button", { name: "Save" }).click();
  await comment.getByText("Somebody changed this text").waitFor();
  await comment.getByText("Said elsewhere").waitFor();
  await comment.getByRole("button", { name: "Save" }).click();
  await page.getByText("Comment saved.").waitFor();
  await page.getByText("I see it as well").waitFor();
  await page.getByRole("button", { name: "Actions for the comment of ada" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Comment deleted.").waitFor();
  expect(await page.getByText("I see it as well").count()).toBe(0);
});

test("it is closed with a comment and a reason, renamed and opened again", async () => {
  await page.getByRole("textbox", { name: "Add a comment" }).fill("Not for now");
  await page.getByRole("button", { name: "Close as…" }).click();
  await page.getByRole("menuitem", { name: /^Not planned/ }).click();
  await page.getByText("closed this as not planned").waitFor();
  await page.getByText("Not for now").waitFor();
  await page.getByText("Closed: not planned").waitFor();
  await page.getByRole("button", { name: "Edit title" }).click();
  await page.getByLabel("Title").fill(evil);
  await page.getByRole("button", { name: "Save title" }).click();
  await page.getByRole("heading", { name: `${evil} #1` }).waitFor();
  await page.getByRole("button", { name: "Edit description" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill(evil);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Description saved.").waitFor();
  await page.getByRole("button", { name: "Reopen issue" }).click();
  await page.getByText("reopened this").waitFor();
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByText("pinned this").waitFor();
  await page.getByRole("button", { name: "Lock conversation" }).click();
  await page.getByText("locked the conversation").waitFor();
  await page.setViewportSize({ width: 320, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  await page.setViewportSize({ width: 1280, height: 900 });
  await lookAtPage(ada);
});

test("filters stand in the address, and several are changed together", async () => {
  for (const title of ["Second", "Third"]) await sender.send("POST", `${at}/issues`, { title });
  await ada.goto("/ada/app/issues");
  await page.getByRole("region", { name: "Pinned issues" }).getByText(evil).waitFor();
  await page.getByRole("link", { name: "Open 3" }).waitFor();
  await page.getByLabel("Select Second").check();
  await page.getByLabel("Select Third").check();
  await page.getByRole("button", { name: "Add labels" }).click();
  await page.getByRole("option").filter({ hasText: "low" }).click();
  await page.getByText("2 issues changed.").waitFor();
  await page.keyboard.press("Escape");
  await lookAtPage(ada);
  const bulk = page.getByRole("group", { name: "Change the selected issues" });
  await bulk.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Open 1" }).waitFor();
  await page.getByRole("link", { name: "Closed 2" }).click();
  await page.getByRole("link", { name: "Second" }).waitFor();
  await page.getByRole("button", { name: "Label", exact: true }).click();
  await page.getByRole("option").filter({ hasText: "high" }).click();
  await page.getByText("No issue matches").waitFor();
  expect(new URL(page.url()).search).toBe("?state=closed&labels=priority%3A%3Ahigh");
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByRole("button", { name: "Overdue" }).click();
  await page.getByText("No issue matches").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("is:overdue");
  await page.getByRole("button", { name: "Saved filters" }).click();
  await page.getByLabel("Name").fill("Late");
  await page.getByLabel("For everybody who may read the repository").check();
  await page.getByRole("button", { name: "Save this filter" }).click();
  const shared = page.getByRole("region", { name: "Of the repository" });
  await shared.getByRole("button", { name: "Late", exact: true }).waitFor();
  await lookAtPage(ada);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Overdue" }).click();
  await page.getByRole("link", { name: "Second" }).waitFor();
  await page.getByRole("searchbox").fill("third");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("listitem").filter({ hasText: "Second" }).count()).toBe(0);
  await page.getByRole("link", { name: "Third" }).click();
  await page.getByRole("button", { name: "Delete issue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete issue" }).click();
  await page.getByText("Issue #3 was deleted.").waitFor();
  await page.getByRole("link", { name: "Closed 1" }).waitFor();
  await lookAtPage(ada);
});

test("a form of the repository asks, and its answers become the text", async () => {
  const put = (path: string, text: string) =>
    sender.send("PUT", `${at}/contents/.forgeline/issue-templates/${path}`, {
      message: "Add a template",
      content: Buffer.from(text).toString("base64"),
    });
  const asked = "  - type: dropdown\n    attributes: { label: System, options: [Debian, Fedora] }\n";
  const form = `name: Crash\ndescription: ${JSON.stringify(evil)}\nlabels: ['priority::high']\nbody:\n  - type: input\n    attributes: { label: Version }\n    validations: { required: true }\n${asked}`;
  await put("crash.yml", form);
  await put("broken.yml", "name: Broken\n");
  await ada.goto("/ada/app/issues/new");
  await page.getByText("broken.yml:1 cannot be used").waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "Crash" }).click();
  await page.getByLabel("Title").fill("It ended");
  await page.getByLabel("Version").fill("1.4");
  await page.getByLabel("System").selectOption("Fedora");
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Create issue" }).click();
  await page.getByRole("heading", { name: /^It ended/ }).waitFor();
  const [issue] = (await sender.send("GET", `${at}/issues`)).json;
  expect(issue).toMatchObject({
    body: "### Version\n\n1.4\n\n### System\n\nFedora\n",
    labels: [{ name: "priority::high" }],
  });
});

test("a reaction is given and taken back by keyboard, a duplicate names its issue, and one moves away", async () => {
  await sender.send("POST", "/repos", { name: "elsewhere" });
  const { number } = (await sender.send("POST", `${at}/issues`, { title: "Moves" })).json as {
    number: number;
  };
  await ada.goto(`/ada/app/issues/${number}`);
  await page.getByRole("button", { name: "Add a reaction" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Rocket" }).waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const rocket = page.getByRole("button", { name: "Rocket: 1" });
  await rocket.waitFor();
  await rocket.focus();
  await expect.poll(() => rocket.getAttribute("title")).toBe("ada");
  await lookAtPage(ada);
  await rocket.click();
  await expect.poll(() => rocket.count()).toBe(0);
  await page.getByRole("button", { name: "Close as…" }).click();
  await page.getByRole("menuitem", { name: /^Duplicate/ }).click();
  await page.getByLabel("Duplicate of").fill("#1");
  await page.getByRole("dialog").getByRole("button", { name: "Close issue" }).click();
  await page.getByText("marked this as a duplicate of").waitFor();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Move to another repository" }).click();
  await page.getByRole("textbox", { name: "Repository" }).fill("ada/elsewhere");
  await page.getByRole("dialog").getByRole("button", { name: "Move to another repository" }).click();
  await page.getByText(`moved this here from`).waitFor();
  expect(new URL(page.url()).pathname).toBe("/ada/elsewhere/issues/1");
  await ada.goto(`/ada/app/issues/${number}`);
  await page.waitForURL(/\/ada\/elsewhere\/issues\/1$/);
});

test("a reader is offered nothing that he may not do, and a link to a late comment finds it", async () => {
  const { id } = (await sender.send("GET", `${at}/issues/1`)).json as { id: string };
  const { db } = server.container.platform;
  await db.query(
    `insert into comments (id, work_item_id, repository_id, author_id, body, created_at)
     select 'cmt_' || lpad(n::text, 26, '0'), $1, repository_id, author_id, 'Comment ' || n, now() + n * interval '1 second'
     from work_items, generate_series(1, 60) n where work_items.id = $1`,
    [id],
  );
  await ada.signIn("bob", password);
  await ada.goto(`/ada/app/issues/1#cmt_${"60".padStart(26, "0")}`);
  await page.getByText("Comment 60", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate("scrollY > 1000")).toBe(true);
  await page.getByText("This conversation is locked").waitFor();
  const offered = /Comment|Close|Edit|Pin|Lock|Delete|Labels|Assignees|Milestone|Due date/;
  const names = await page.getByRole("main").getByRole("button", { name: offered }).allTextContents();
  expect(names.filter((name) => name !== "")).toEqual([]);
  await ada.goto("/ada/app/issues/99");
  await page.getByText("Nothing here").waitFor();
});

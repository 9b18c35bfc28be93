/** Files and commits of a repository in the browser: what their authors wrote stays text. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import {
  hostileName,
  hostileWords,
  pushCodeRepository,
  type CodeRepository,
} from "../support/web/code-repository.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { tabFindings } from "../support/web/tab-through-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

describe("pages of a repository", () => {
  let server: ApiServer;
  let browser: Browser;
  let code: CodeRepository;
  let ada: Visitor;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    code = await pushCodeRepository(server);
    ada = await openVisitor(browser, server.webUrl);
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await code?.client.remove();
    await server?.stop();
  });

  test("the start page shows files, the last commit and the README, of which nothing runs", async () => {
    await ada.goto("/ada/code");
    const { page } = ada;
    await page.getByRole("link", { name: hostileName }).waitFor();
    await page.getByRole("link", { name: `Add sources ${hostileWords}` }).waitFor();
    await page.getByRole("heading", { name: "Engine" }).waitFor();
    await page.getByText(`Parses ${hostileWords}`).waitFor();
    expect(await page.title()).toContain("ada/code");
    const active = "main :is(iframe, script, [onerror], [style*=fixed]), a[href^='javascript']";
    expect(await page.locator(active).count()).toBe(0);
    await page.getByText("press me").waitFor();
    const widths = "[...document.querySelectorAll('section img')].map((image) => image.naturalWidth)";
    await expect.poll(() => page.evaluate(widths)).toEqual([1, 40, 1]);
    expect(await page.getByText("tracker").count()).toBe(1);
    const guide = await page.getByRole("link", { name: "the guide" }).getAttribute("href");
    expect(guide).toBe("/ada/code/blob/main/docs/guide.md#user-content-first-steps");
    await lookAtPage(ada);
  });

  test("the start page asks in two round trips", async () => {
    // What the frame says about the instance is waited for by nobody.
    const isWaitedFor = (path: string) => path.startsWith("/api/") && !/raw|meta/.test(path);
    const asked: { path: string; from: number; to: number }[] = [];
    const visitor = await openVisitor(browser, server.webUrl, { isMeasured: true });
    visitor.page.on("requestfinished", (request) => {
      const path = new URL(request.url()).pathname;
      const { startTime, responseEnd } = request.timing();
      if (isWaitedFor(path)) asked.push({ path, from: startTime, to: startTime + responseEnd });
    });
    await visitor.goto("/ada/code");
    await visitor.page.getByRole("heading", { name: "Engine" }).waitFor();
    const later = asked.filter((one) =>
      asked.some((before) => before.to <= one.from && !before.path.includes("/contents/")),
    );
    // Whether everyone sees the runs is known with the repository; who is signed in asks for them at once.
    expect(later.map((one) => one.path).toSorted()).toEqual([
      "/api/v1/repos/ada/code/contents/README.md",
      "/api/v1/repos/ada/code/pipelines",
    ]);
    await visitor.close();
  });

  test("addresses to clone from and other branches are at hand", async () => {
    await ada.goto("/ada/code");
    await ada.page.getByRole("button", { name: "Clone" }).click();
    const https = ada.page.getByRole("textbox", { name: "Address for HTTPS" });
    expect(await https.inputValue()).toBe(`${server.webUrl}/ada/code.git`);
    await lookAtPage(ada);
    await ada.page.keyboard.press("Escape");
    await ada.page.getByRole("button", { name: "Branch or tag: main" }).click();
    await ada.page.getByPlaceholder("Find a branch").fill("tab");
    await ada.page.getByRole("link", { name: "feature/tables" }).waitFor();
    await lookAtPage(ada);
  });

  test("a file shows its lines, which can be linked to; markup in it is text", async () => {
    await ada.goto("/ada/code/blob/main/src/answer.ts#L2");
    const { page } = ada;
    await page.getByText("</script><script>document.title='broken in'</script>").waitFor();
    await page.locator("[data-chosen]").getByText("return").or(page.locator("#L2[data-chosen]")).waitFor();
    await page.locator(".hljs-keyword").first().waitFor();
    await lookAtPage(ada);
    await page.getByRole("link", { name: "4", exact: true }).click({ modifiers: ["Shift"] });
    await page.waitForURL((address) => address.hash === "#L2-L4");
    await expect.poll(() => page.locator("[data-chosen]").count()).toBe(3);
    await page.getByRole("button", { name: "Link to this version" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/blob/${code.change}/src/answer.ts#L2-L4`);
    expect(await page.title()).not.toContain("broken in");
  });

  test.for([
    ["directory", "/ada/code/tree/feature%2Ftables/src", "answer.ts"],
    ["Markdown", "/ada/code/blob/main/docs/guide.md", "First steps"],
    ["Markdown as it was written", "/ada/code/blob/main/docs/guide.md?plain=1", "## First steps"],
    ["picture", "/ada/code/blob/main/docs/dot.png", "Download"],
    ["binary", "/ada/code/blob/main/src/data.bin", "This is a binary file"],
    ["page with a script", "/ada/code/blob/main/src/script.html", "broken in"],
    ["blame", "/ada/code/blame/feature%2Ftables/src/answer.ts", "Change the answer"],
    ["history", "/ada/code/commits/main", `Add sources ${hostileWords}`],
    ["history of a file", "/ada/code/commits/feature%2Ftables/src/answer.ts", "Change the answer"],
  ])("%s", async ([, path = "", words = ""]) => {
    await ada.goto(path);
    await ada.page.getByText(words).first().waitFor();
    await lookAtPage(ada);
    expect(await ada.page.title()).not.toContain("broken in");
  });

  test("a hostile name is an address like any other", async () => {
    await ada.goto("/ada/code");
    await ada.page.getByRole("link", { name: hostileName }).click();
    const content = ada.page.getByRole("group", { name: `Content of ${hostileName}` });
    await content.getByText(hostileWords).waitFor();
    await ada.page.getByRole("heading", { name: hostileName }).waitFor();
    await lookAtPage(ada);
    await ada.page.reload();
    await content.getByText(hostileWords).waitFor();
  });

  test("a long file is there as a whole, and one stop of the keyboard, which goes on with arrows", async () => {
    const { page } = ada;
    await ada.goto("/ada/code/blob/main/src/long.txt#L2990");
    const line = page.locator("#L2990");
    const top = () => line.evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(900);
    expect(await tabFindings(page)).toEqual([]);
    await line.getByRole("link").focus();
    for (const key of ["ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key);
    await page.waitForURL((address) => address.hash === "#L2991-L2993");
    await expect.poll(() => page.locator("[data-chosen]").count()).toBe(3);
    await page.keyboard.press("Shift+ArrowUp");
    await page.waitForURL((address) => address.hash === "#L2991-L2992");
    for (const key of ["Home", "Enter"]) await page.keyboard.press(key);
    await page.waitForURL((address) => address.hash === "#L1");
    await page.locator("#L1").getByRole("link").and(page.locator(":focus")).waitFor();
  });

  test("a commit shows its message and what it changed", async () => {
    await ada.goto(`/ada/code/commit/${code.change}`);
    const { page } = ada;
    await page.getByRole("heading", { level: 1, name: `Add sources ${hostileWords}` }).waitFor();
    await page.getByText("With a body.").waitFor();
    await page.getByText("</script><script>document.title='broken in'</script>").first().waitFor();
    expect(await page.getByText("line 2999").count()).toBe(0);
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Load diff of src/long.txt" }).click();
    await page.getByText("line 999", { exact: true }).waitFor();
  });

  test("branches are made, compared and deleted", async () => {
    await ada.goto("/ada/code/branches");
    const { page } = ada;
    await page.getByRole("button", { name: "New branch" }).click();
    await page.getByLabel("Name").fill("main");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").waitFor();
    ada.forgiveRefusals();
    await page.getByLabel("Name").fill("feature/#1");
    await page.getByLabel("Starts at").fill("feature/tables");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "feature/#1", exact: true }).waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Delete feature/#1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "feature/#1", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Compare feature/tables" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/compare/main...feature%2Ftables`);
    await page.getByText("feature/tables is 1 commit ahead of main and 0 commits behind it.").waitFor();
    await page.getByRole("cell", { name: "return 43;" }).waitFor();
    await lookAtPage(ada);
    await page.getByLabel("To", { exact: true }).fill("no-such-branch");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("One of the two is not a branch").waitFor();
    ada.forgiveRefusals();
  });

  test("tags are made and deleted, and are downloads", async () => {
    await ada.goto("/ada/code/tags");
    const { page } = ada;
    await page.getByText("First release").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "v1.0 as .zip" }).click();
    expect((await download).suggestedFilename()).toBe("code-v1.0.zip");
    await page.getByRole("button", { name: "New tag" }).click();
    await page.getByLabel("Name").fill("v2.0");
    await page.getByLabel("Message").fill(hostileWords);
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "v2.0", exact: true }).waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Delete v2.0" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "v2.0", exact: true }).waitFor({ state: "detached" });
  });

  test("only a branch is offered to be changed, and each page stands below its tab", async () => {
    const { page } = ada;
    const tabs = page.getByRole("navigation", { name: "Repository", exact: true });
    const changes = page.getByRole("link", { name: /^(Edit|New file)$/ });
    for (const [address, tab, isBranch] of [
      ["blob/feature%2Ftables/src/answer.ts", "Code", true],
      ["blob/v1.0/src/answer.ts", "Code", false],
      [`blob/${code.change}/src/answer.ts`, "Code", false],
      ["tree/feature%2Ftables/docs", "Code", true],
      [`commit/${code.change}`, "Commits", false],
    ] as const) {
      await ada.goto(`/ada/code/${address}`);
      await expect.poll(() => tabs.locator("[aria-current=page]").allTextContents()).toEqual([tab]);
      await expect.poll(() => changes.count()).toBe(isBranch ? 1 : 0);
    }
    await ada.goto("/ada/code/edit/v1.0/src/answer.ts");
    await page.getByRole("heading", { level: 1, name: "You cannot edit this here" }).waitFor();
    expect(ada.troubles).toEqual([]);
  });

  test("who may only read is offered nothing that changes", async () => {
    const visitor = await openVisitor(browser, server.webUrl);
    for (const path of ["/ada/code/branches", "/ada/code/tags", "/ada/code/blob/main/src/answer.ts"]) {
      await visitor.goto(path);
      await visitor.page.getByRole("heading", { level: 1 }).waitFor();
      expect(await visitor.page.getByRole("button", { name: /^(New|Delete)/ }).count()).toBe(0);
      expect(await visitor.page.getByRole("link", { name: "Edit" }).count()).toBe(0);
    }
    await visitor.close();
  });

  test("a file is made, edited and deleted; what was typed outlives a conflict", async () => {
    const { page } = ada;
    await ada.goto("/ada/code/tree/main/docs");
    await page.getByRole("link", { name: "New file" }).click();
    await page.getByLabel("Path").fill("docs/notes.txt");
    await page.getByRole("textbox", { name: "Content" }).fill("one\n");
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/blob/main/docs/notes.txt`);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Content" }).fill(`mine ${hostileWords}\n`);
    const address = "/repos/ada/code/contents/docs/notes.txt";
    const { token } = code.ada;
    const { json } = await server.api("GET", address, { token });
    const theirs = { message: "Theirs", content: btoa("theirs\n"), sha: json.sha };
    expect((await server.api("PUT", address, { token, body: theirs })).status).toBe(200);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody changed the file").waitFor();
    expect(await page.getByRole("textbox", { name: "Content" }).inputValue()).toBe(`mine ${hostileWords}\n`);
    ada.forgiveRefusals();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Cancel" })
      .click();
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/blob/main/docs/notes.txt`);
    await page.getByRole("group", { name: "Content of notes.txt" }).getByText(hostileWords).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByLabel("Commit message").fill("No notes");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/tree/main`);
    await page.getByRole("link", { name: "No notes" }).waitFor();
    expect((await server.api("GET", address, { token })).status).toBe(404);
    await ada.goto("/ada/code/edit/main/docs/guide.md");
    await page.getByRole("textbox", { name: "Content" }).fill("Proposed\n");
    await page.getByLabel("To a new branch").check();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/merge-requests/new?source=change-guide-md`);
  });

  test("a file says who owns it, and the file that says so shows what is wrong with it", async () => {
    const token = await server.tokenFor(code.ada, ["repo:write"]);
    const text = "* @ada @ada-no-more\n/docs/\n*.js ada\n";
    const body = { message: "Owners", content: Buffer.from(text).toString("base64"), branch: "main" };
    await server.api("PUT", "/repos/ada/code/contents/CODEOWNERS", { token, body });
    const { page } = ada;
    await ada.goto("/ada/code/blob/main/docs/guide.md");
    await page.getByText("Owned by nobody").waitFor();
    await ada.goto("/ada/code/blob/main/src/answer.ts");
    const line = page.getByRole("listitem").filter({ hasText: "Owned by @ada, @ada-no-more" });
    await lookAtPage(ada);
    await line.getByRole("link", { name: "CODEOWNERS, line 1" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/blob/main/CODEOWNERS#L1`);
    await page.getByText("2 errors").waitFor();
    const notes = page.getByRole("note");
    expect(await notes.count()).toBe(2);
    await notes.filter({ hasText: "@ada-no-more does not exist" }).waitFor();
    await notes.filter({ hasText: "Did you mean @ada?" }).waitFor();
    await lookAtPage(ada);
  });
});

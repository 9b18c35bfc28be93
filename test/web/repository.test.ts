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
import {
  hasChromium,
  openChromium,
  openVisitor,
  password,
  startWebServer,
  type Visitor,
} from "../support/web/visitor.ts";

describe.skipIf(!hasChromium)("pages of a repository", () => {
  let server: ApiServer;
  let browser: Browser;
  let code: CodeRepository;
  let ada: Visitor;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), openChromium()]);
    code = await pushCodeRepository(server);
    ada = await openVisitor(browser, server.webUrl);
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await browser?.close();
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
    expect(await page.locator("main iframe, main script, main [onerror], main [style*=fixed]").count()).toBe(
      0,
    );
    expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    await page.getByText("press me").waitFor();
    const pictures = page.locator("section img");
    await expect
      .poll(() => pictures.evaluateAll("(all) => all.map((one) => one.naturalWidth)"))
      .toEqual([1, 40, 1]);
    expect(await page.getByText("tracker").count()).toBe(1);
    expect(await page.getByRole("link", { name: "the guide" }).getAttribute("href")).toBe(
      "/ada/code/blob/main/docs/guide.md#user-content-first-steps",
    );
    await lookAtPage(ada);
  });

  test("the start page asks in two round trips", async () => {
    // What the frame says about the instance is waited for by nobody.
    const isWaitedFor = (path: string) => path.startsWith("/api/") && !/raw|meta/.test(path);
    const asked: { path: string; from: number; to: number }[] = [];
    const visitor = await openVisitor(browser, server.webUrl);
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
    expect(later.map((one) => one.path)).toEqual(["/api/v1/repos/ada/code/contents/README.md"]);
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

  test("an empty repository says how to push for the first time", async () => {
    await server.api("POST", "/repos", { token: code.ada.token, body: { name: "fresh" } });
    await ada.goto("/ada/fresh");
    await ada.page.getByText("git push --set-upstream origin main").first().waitFor();
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
    expect(new URL(page.url()).hash).toBe("#L2-L4");
    expect(await page.locator("[data-chosen]").count()).toBe(3);
    await page.getByRole("button", { name: "Link to this version" }).click();
    await page.waitForURL(`${server.webUrl}/ada/code/blob/${code.change}/src/answer.ts#L2-L4`);
    expect(await page.title()).not.toContain("broken in");
  });

  test.for([
    ["directory", "/ada/code/tree/feature%2Ftables/src", "answer.ts"],
    ["Markdown", "/ada/code/blob/main/docs/guide.md", "First steps"],
    ["Markdown as it was written", "/ada/code/blob/main/docs/guide.md?plain=1", "## First steps"],
    ["picture", "/ada/code/blob/main/docs/dot.png", "Download"],
    ["binary", "/ada/code/blob/main/src/data.bin", "This is not text"],
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
    await ada.page
      .getByRole("group", { name: `Content of ${hostileName}` })
      .getByText(hostileWords)
      .waitFor();
    await ada.page.getByRole("heading", { name: hostileName }).waitFor();
    await lookAtPage(ada);
    await ada.page.reload();
    await ada.page
      .getByRole("group", { name: `Content of ${hostileName}` })
      .getByText(hostileWords)
      .waitFor();
  });

  test("a long file is there as a whole, and its last line can be gone to", async () => {
    await ada.goto("/ada/code/blob/main/src/long.txt#L2990");
    const line = ada.page.locator("#L2990");
    await line.getByText("line 2990").waitFor();
    await expect
      .poll(() => line.evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(900);
  });

  test("a commit shows its message and what it changed", async () => {
    await ada.goto(`/ada/code/commit/${code.change}`);
    const { page } = ada;
    await page.getByRole("heading", { level: 1, name: `Add sources ${hostileWords}` }).waitFor();
    await page.getByText("With a body.").waitFor();
    await page.getByText("</script><script>document.title='broken in'</script>").first().waitFor();
    expect(await page.getByText("line 2999").count()).toBe(0);
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Show 3000 changed lines" }).click();
    await page.getByText("line 2999").waitFor();
  });
});

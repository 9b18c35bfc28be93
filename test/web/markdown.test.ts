/** Texts in Markdown in the browser: written in the field, and shown with what is drawn in a frame without origin. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, startWebServer, type Visitor } from "../support/web/visitor.ts";

const hostile = `> [!WARNING]
> Mind the *gap*.

$x^2$ and $\\href{https://outside.example/}{y}$, said @ada in #12.[^1]

\`\`\`mermaid
flowchart LR
  a["<img src=x onerror=alert(1)>"] --> b
  click a "https://outside.example/"
\`\`\`

\`\`\`mermaid
no such diagram
\`\`\`

<iframe src="https://outside.example/"></iframe><svg onload="alert(1)"></svg><style>main { display: none }</style>

[^1]: At the end.
`;

describe("a text in Markdown", () => {
  let server: ApiServer;
  let browser: Browser;
  let visitor: Visitor;
  const outside: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    visitor = await openVisitor(browser, server.webUrl);
    visitor.page.on("request", (request) => {
      const url = request.url();
      if (!/^(?:data|blob):/.test(url) && !url.startsWith(server.webUrl)) outside.push(url);
    });
    visitor.context.on("dialog", (dialog) => {
      outside.push(dialog.message());
      void dialog.dismiss();
    });
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  const field = () => visitor.page.getByRole("textbox", { name: "Text in Markdown" });

  test("is written with buttons and keys, kept as a draft and sent by Ctrl+Enter", async () => {
    await visitor.goto("/-/components");
    await field().fill("one");
    await field().press("ControlOrMeta+a");
    await field().press("ControlOrMeta+b");
    expect(await field().inputValue()).toBe("**one**");
    await visitor.page.getByRole("button", { name: "Quote" }).click();
    expect(await field().inputValue()).toBe("> **one**");
    await field().press("ControlOrMeta+Enter");
    await visitor.page.getByText("A sentence that says what happens").last().waitFor();
    await visitor.goto("/");
    await visitor.goto("/-/components");
    await expect.poll(() => field().inputValue()).toBe("> **one**");
    await field().fill("- [ ] first\n- [x] second #7");
    await visitor.page.getByRole("checkbox", { name: "second #7" }).uncheck();
    expect(await field().inputValue()).toBe("- [ ] first\n- [ ] second #7");
    expect(await visitor.page.getByRole("link", { name: "#7" }).getAttribute("href")).toBe(
      "/ada/compiler/issues/7",
    );
  });

  test("shows alerts, footnotes, formulas and diagrams, and runs and fetches nothing of strangers", async () => {
    await visitor.goto("/-/components");
    await field().fill(hostile);
    const { page } = visitor;
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const preview = page.locator("[class*=preview]");
    await preview.getByText("Warning", { exact: true }).waitFor();
    await expect.poll(() => preview.locator("math").count()).toBe(2);
    await preview.getByText("This diagram cannot be drawn.").waitFor();
    const drawn = preview.frameLocator("iframe").locator("svg");
    await drawn.getByText("b", { exact: true }).waitFor();
    expect(await preview.frameLocator("iframe").locator("[onerror], script:not([src])").count()).toBe(0);
    expect(await preview.frameLocator("iframe").locator("html").evaluate("self.origin")).toBe("null");
    expect(await preview.locator("iframe, svg[onload], style").count()).toBe(1);
    await preview.getByRole("link", { name: "@ada" }).waitFor();
    await preview.getByText("At the end.").waitFor();
    // The frame's policy stops what a label would run.
    const stopped = visitor.troubles
      .splice(0)
      .filter((words) => !words.includes("inline event handler violates"));
    expect(stopped).toEqual([]);
    await lookAtPage(visitor);
    expect(outside).toEqual([]);
  });
});

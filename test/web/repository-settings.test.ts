/** Making repositories and forks, and the pages on which their admins change them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Session } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import {
  hasChromium,
  openChromium,
  openVisitor,
  password,
  startWebServer,
  type Visitor,
} from "../support/web/visitor.ts";

const markup = "<img src=x onerror=alert(1)>";

describe.skipIf(!hasChromium)("creating and settings of repositories", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;
  let page: Page;
  /** The same person over REST. */
  let rest: Session;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), openChromium()]);
    await signUp(server, "ada", password);
    await signUp(server, "bob", password);
    rest = openBrowser(server);
    await rest.signIn("ada", password);
    await rest.send("POST", "/orgs", { name: "acme" });
    ada = await openVisitor(browser, server.webUrl);
    page = ada.page;
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const read = async (path: string) => (await rest.send("GET", path)).json;

  describe("a new repository", () => {
    test("is reached from the plus, in an organization as in one's own name, and begins with what was chosen", async () => {
      await ada.goto("/");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("menuitem", { name: "New repository" }).click();
      await page.waitForURL(`${server.webUrl}/new`);
      expect(await page.getByLabel("Internal").count()).toBe(0);
      await page.getByLabel("Owner").selectOption("acme");
      await page.getByLabel("Name").fill("tables");
      await page.getByLabel("Description").fill(markup);
      await page.getByLabel("Internal").check();
      await page.getByLabel("A README").check();
      await page.getByLabel("License").fill("MIT");
      await page.getByLabel("Template for .gitignore").fill("Node");
      await page.getByLabel("Default branch").fill("trunk");
      await lookAtPage(ada);
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.waitForURL(`${server.webUrl}/acme/tables`);
      expect(await read("/repos/acme/tables")).toMatchObject({
        visibility: "internal",
        description: markup,
        default_branch: "trunk",
      });
      const files = await read("/repos/acme/tables/contents");
      expect(files.map(({ name }: { name: string }) => name)).toEqual([".gitignore", "LICENSE", "README.md"]);
    });

    test("with a name that is taken keeps what was typed", async () => {
      await rest.send("POST", "/repos", { name: "taken" });
      await ada.goto("/new");
      await page.getByLabel("Name").fill("taken");
      await page.getByLabel("License").fill("no such license");
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.getByText("lists what there is").first().waitFor();
      await page.getByLabel("License").fill("");
      await page.getByRole("button", { name: "Create repository" }).click();
      await page.getByRole("alert").filter({ hasText: "of this name already" }).waitFor();
      expect(await page.getByLabel("Name").inputValue()).toBe("taken");
      ada.troubles.length = 0;
    });
  });

  test("a fork goes to an owner of one's choice", async () => {
    await rest.send("POST", "/repos", { name: "original", readme: true });
    await ada.goto("/ada/original");
    await page.getByRole("button", { name: "Fork" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Owner").inputValue()).toBe("acme");
    await dialog.getByLabel("Name").fill("copy");
    await lookAtPage(ada);
    await dialog.getByRole("button", { name: "Fork" }).click();
    await page.waitForURL(`${server.webUrl}/acme/copy`);
    expect(await read("/repos/acme/copy")).toMatchObject({
      fork: true,
      upstream: { full_name: "ada/original" },
    });
  });
});

/** Dialogs and panels for whoever uses a keyboard or a screen reader: where the focus goes, and what is left to be read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
  await ada.goto("/-/components");
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const button = (name: string) => ada.page.getByRole("button", { name, exact: true });
const dialog = (name: string) => ada.page.getByRole("dialog", { name });
const focused = () => ada.page.locator(":focus");

async function open(name: string): Promise<void> {
  await button(name).focus();
  await ada.page.keyboard.press("Enter");
  await dialog(name).waitFor();
}

/** Roles and names of what a screen reader comes by. */
async function readable(): Promise<string[]> {
  const session = await ada.context.newCDPSession(ada.page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role?.value} ${name?.value}`);
}

test("a dialog takes the focus to what is to be filled in, and hides the page", async () => {
  const before = await readable();
  await open("Open a form");
  await expect
    .poll(() => focused().getAttribute("id"))
    .toBe(await dialog("Open a form").getByLabel("A field").getAttribute("id"));
  const during = await readable();
  expect(before).toContain("heading Components");
  expect(during).not.toContain("heading Components");
  expect(during).toContain("dialog Open a form");
  await ada.page.keyboard.press("Escape");
  await dialog("Open a form").waitFor({ state: "detached" });
});

test.each([
  ["Open a dialog", "Escape"],
  ["Open a dialog", "Close"],
  ["Open a form", "Cancel"],
  ["Open a panel", "Escape"],
])("%s, closed by %s: the focus is back on the button", async (name, how) => {
  await open(name);
  if (how === "Escape") await ada.page.keyboard.press("Escape");
  else await dialog(name).getByRole("button", { name: how }).click();
  await dialog(name).waitFor({ state: "hidden" });
  await expect.poll(() => focused().innerText()).toBe(name);
});

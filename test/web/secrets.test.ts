/**
 * The pages about secrets: each empty and filled, and what can be done there; who may write finds those of a repository. And the keys
 * of identity tokens, which do without a secret.
 */
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
let ben: Visitor;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "ben"]) await signUp(server, name, password);
  await server.container.platform.db.query("update users set is_admin = true where username = 'ada'");
  const sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "code", readme: true });
  await sender.send("PUT", "/repos/ada/code/collaborators/ben", { permission: "write" });
  await sender.send("POST", "/orgs", { name: "acme" });
  [ada, ben] = [await openVisitor(browser, server.webUrl), await openVisitor(browser, server.webUrl)];
  await ada.signIn("ada", password);
  await ben.signIn("ben", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });

test.for(["/ada/code/settings/secrets", "/orgs/acme/secrets", "/-/admin/secrets"])(
  "%s: a secret is added, replaced and deleted, and never shown",
  async (path) => {
    const { page } = ada;
    await ada.goto(path);
    await page.getByText("No secrets").waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Add secret", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("DEPLOY_KEY");
    await page.getByLabel("Value", { exact: true }).fill("short");
    await page.getByLabel("Branches", { exact: true }).fill("main, release/*");
    await page.getByRole("checkbox", { name: "push", exact: true }).check();
    await inDialog(page, "Save").click();
    await page.getByText("At least 6 characters.", { exact: true }).waitFor();
    ada.forgiveRefusals();
    await page.getByLabel("Value", { exact: true }).fill("a value that nobody sees");
    await inDialog(page, "Save").click();
    await page.getByText("Branches: main, release/*").waitFor();
    await lookAtPage(ada);
    await page.getByRole("button", { name: "Replace DEPLOY_KEY" }).click();
    expect(await page.getByLabel("Value", { exact: true }).inputValue()).toBe("");
    await page.getByLabel("Value", { exact: true }).fill("another value that nobody sees");
    await page.getByLabel("Branches", { exact: true }).fill("");
    await inDialog(page, "Save").click();
    await page.getByText("DEPLOY_KEY is set.").waitFor();
    await page.getByRole("link", { name: "DEPLOY_KEY" }).click();
    await page.getByText("Not used in the last 90 days").waitFor();
    await lookAtPage(ada);
    expect(await page.content()).not.toContain("nobody sees");
    await ada.goto(path);
    await page.getByRole("button", { name: "Delete DEPLOY_KEY" }).click();
    await inDialog(page, "Delete").click();
    await page.getByText("No secrets").waitFor();
  },
);

test("of an organization and the instance can be limited to repositories, those of a repository cannot", async () => {
  const { page } = ada;
  for (const [path, given] of [
    ["/orgs/acme/secrets", "shop, web-*"],
    ["/-/admin/secrets", "acme/*"],
  ] as const) {
    await ada.goto(path);
    await page.getByRole("button", { name: "Add secret", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("SHARED");
    await page.getByLabel("Value", { exact: true }).fill("a value that nobody sees");
    await page.getByLabel("Repositories", { exact: true }).fill(given);
    await inDialog(page, "Save").click();
    await page.getByText(`Repositories: ${given}`).waitFor();
  }
  await ada.goto("/ada/code/settings/secrets");
  await page.getByRole("button", { name: "Add secret", exact: true }).click();
  await page.getByLabel("Branches", { exact: true }).waitFor();
  expect(await page.getByLabel("Repositories", { exact: true }).count()).toBe(0);
});

test("keys of identity tokens are replaced, and earlier ones withdrawn", async () => {
  const { page } = ada;
  await ada.goto("/-/admin/keys");
  await page.getByText("No key yet").waitFor();
  await page.getByRole("button", { name: "Replace the key of identity tokens", exact: true }).click();
  await inDialog(page, "Replace the key of identity tokens").click();
  await page.getByRole("cell", { name: "current", exact: true }).nth(1).waitFor();
  await page.getByRole("button", { name: "Replace the key of identity tokens", exact: true }).click();
  await page.getByLabel("Stop publishing earlier keys at once").check();
  await lookAtPage(ada);
  await inDialog(page, "Replace the key of identity tokens").click();
  await page.getByRole("cell", { name: "withdrawn", exact: true }).waitFor();
  await lookAtPage(ada);
});

test("who may write finds secrets in the settings, and nothing else there", async () => {
  const { page } = ben;
  await ben.goto("/ada/code");
  await page.getByRole("link", { name: "Settings", exact: true }).last().click();
  await page.getByRole("heading", { level: 1, name: "Secrets" }).waitFor();
  for (const name of ["Webhooks", "Collaborators"])
    expect(await page.getByRole("link", { name, exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Add secret", exact: true }).waitFor();
  await ben.goto("/ada/code/settings/webhooks");
  await page.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor();
});

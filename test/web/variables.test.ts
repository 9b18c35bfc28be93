/** The pages about variables, and what the form that starts a run shows of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const file = `on: { push: { branches: [main] }, manual: }
image: busybox
steps: ["true"]
env: { X: "\${{ vars.REGION }}" }
`;

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let bob: Visitor;
let sender: Sender;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  const root = await server.person("root", { isAdmin: true });
  await server.api("PATCH", "/admin/users/ada", { token: root.token, body: { admin: true } });
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  bob = await openVisitor(browser, server.webUrl);
  await bob.signIn("bob", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/orgs", { name: "acme" });
  await sender.send("POST", "/repos", { owner: "acme", name: "app", private: true });
  await sender.send("PUT", "/repos/acme/app/contents/.forgeline.yml", {
    message: "x",
    content: Buffer.from(file).toString("base64"),
    branch: "main",
  });
  await sender.send("PUT", "/repos/acme/app/collaborators/bob", { permission: "write" });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

test.each([
  ["/-/admin/variables", "Every run on this instance"],
  ["/orgs/acme/variables", "Every run in a repository of this organization"],
  ["/acme/app/settings/variables", "Every run in this repository"],
])("%s: one is set, changed and deleted", async (path, lead) => {
  await ada.goto(path);
  await page.getByText(lead, { exact: false }).waitFor();
  await page.getByText("No variables").waitFor();
  const set = async (name: string, value: string) => {
    await page.getByRole("button", { name: "Set variable" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Value").fill(value);
    await dialog.getByRole("button", { name: "Save" }).click();
  };
  await set("REGION", `of\n${path}`);
  await page.getByText(`of\n${path}`).waitFor();
  await set("GONE", "soon");
  await page.getByRole("button", { name: "Change GONE" }).click();
  const dialog = page.getByRole("dialog", { name: "Value of GONE" });
  expect(await dialog.getByLabel("Value").inputValue()).toBe("soon");
  await dialog.getByLabel("Value").fill("now");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("now", { exact: true }).waitFor();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Delete GONE" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Variable deleted.").waitFor();
  expect(await page.getByText("GONE").count()).toBe(0);
});

test("whoever may write finds those of the repository beside its runs, and no others", async () => {
  await bob.goto("/acme/app/pipelines");
  await bob.page.getByRole("button", { name: "More about pipelines" }).click();
  await bob.page.getByRole("menuitem", { name: "Variables" }).click();
  await bob.page.getByText("of\n/acme/app/settings/variables").waitFor();
  await lookAtPage(bob);
  for (const path of ["/acme/app/settings/webhooks", "/orgs/acme/variables", "/-/admin/variables"]) {
    await bob.goto(path);
    await bob.page.getByRole("heading", { name: "Nothing here" }).waitFor();
  }
});

test("what would run shows each with its level, for any event", async () => {
  await sender.send("PUT", "/admin/variables/LOWEST", { value: "yes" });
  await ada.goto("/acme/app/pipelines");
  await page.getByRole("button", { name: "Run pipeline" }).click();
  const dialog = page.getByRole("dialog", { name: "Run pipeline" });
  await dialog.getByRole("button", { name: "Add a variable" }).click();
  await dialog.getByLabel("Name of variable 1").fill("MINE");
  await dialog.getByLabel("Value of variable 1").fill("given");
  await dialog.getByRole("button", { name: "What would run?" }).click();
  const variables = dialog.getByRole("region", { name: "Variables" });
  await variables.waitFor();
  const shown = await variables.locator("dl > div").allInnerTexts();
  expect(shown.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
    "LOWEST of the instance yes",
    "MINE of this run given",
    "REGION of the repository of /acme/app/settings/variables",
  ]);
  await lookAtPage(ada);
  const event = dialog.getByLabel("Event to look at");
  await event.selectOption("For a tag");
  await variables.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "What would run?" }).click();
  await dialog.getByText('The file does not list this event under "on".').waitFor();
  await event.selectOption("For a push");
  await dialog.getByRole("button", { name: "What would run?" }).click();
  await dialog.getByRole("heading", { name: "Stage main" }).waitFor();
});

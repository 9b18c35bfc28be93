/** The form that starts a run asks for the inputs of the pipeline file. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Person } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const evil = "<img src=x onerror=alert(1)>";
const file = "image: busybox\nsteps:\n  - echo hello\n";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let person: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await Promise.all(["ada", "ben"].map((name) => signUp(server, name, password)));
  person = openBrowser(server);
  await person.signIn("ada", password);
  ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

async function write(path: string, text: string, message: string, branch = "main") {
  const content = Buffer.from(text).toString("base64");
  const body = { message, content, branch };
  expect((await person.send("PUT", `/repos/ada/asking/contents/${path}`, body)).status).toBe(200);
}

test("the form asks for the inputs of the chosen file at the chosen branch, and says which are wrong", async () => {
  expect((await person.send("POST", "/repos", { name: "asking" })).status).toBe(201);
  const asks = `on:
  manual:
    inputs:
      target: { type: choice, options: [staging, production], default: staging, description: "${evil}" }
      area: { type: choice, options: [eu, us], required: true }
      version: { type: string, required: true }
      replicas: { type: number, default: 2 }
      greeting: { type: string, default: "hello" }
      dry_run: { type: boolean, default: true }
      loud: { type: boolean }
      lines: { type: string, default: "one\\ntwo" }
      note: { type: string }
image: busybox
steps: [{ run: make, when: "inputs.replicas > 2" }]
`;
  await write(".forgeline/build.yml", file, "build");
  await person.send("POST", "/repos/ada/asking/branches", { name: "other", ref: "main" });
  await write(".forgeline/deploy.yml", asks, "deploy");
  await write(".forgeline/deploy.yml", asks.replace("[eu, us]", "[mars]"), "deploy there", "other");
  await ada.goto("/ada/asking/pipelines");
  await ada.page.getByRole("button", { name: "Run pipeline" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Run pipeline" });
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  await dialog.getByRole("button", { name: "Run pipeline" }).waitFor();
  expect(await field("target").count()).toBe(0);
  await field("Pipeline").selectOption("deploy.yml");
  await dialog.getByText(evil).waitFor();
  expect(await field("target").inputValue()).toBe("staging");
  expect(await field("replicas").inputValue()).toBe("2");
  expect(await field("dry_run").isChecked()).toBe(true);
  expect(await field("loud").isChecked()).toBe(false);
  expect(await field("lines").inputValue()).toBe("one\ntwo");
  await lookAtPage(ada);
  // The browser itself asks for what is required.
  await dialog.getByRole("button", { name: "Run pipeline" }).click();
  expect(await dialog.locator(":focus").getAttribute("name")).toBe("input-area");
  await field("area (required)").selectOption("eu");
  await field("version (required)").fill(" 1.4 ");
  await field("greeting").fill("");
  await field("dry_run").uncheck();
  // What is chosen elsewhere can be chosen nowhere else.
  const ref = dialog.getByLabel("Branch, tag or commit");
  await ref.fill("other");
  await ref.press("Tab");
  await dialog.getByRole("option", { name: "mars" }).waitFor({ state: "attached" });
  expect(await field("version (required)").inputValue()).toBe(" 1.4 ");
  await field("area (required)").selectOption("mars");
  await dialog.getByRole("button", { name: "What would run?" }).click();
  await dialog.getByRole("heading", { name: "Stage main" }).waitFor();
  // Too large for a number that is kept exactly.
  await field("replicas").fill("12345678901234567890");
  await dialog.getByRole("button", { name: "Run pipeline" }).click();
  await dialog.getByText("The input replicas must be a number between", { exact: false }).first().waitFor();
  expect(await field("replicas").getAttribute("aria-invalid")).toBe("true");
  ada.forgiveRefusals();
  await lookAtPage(ada);
  await field("replicas").fill("3.5");
  await dialog.getByRole("button", { name: "Run pipeline" }).click();
  await ada.page.waitForURL(/\/ada\/asking\/pipelines\/\d+$/);
  await ada.page.getByText("area: mars").waitFor();
  await ada.page.getByText("replicas: 3.5").waitFor();
  const number = ada.page.url().split("/").at(-1);
  const run = (await person.send("GET", `/repos/ada/asking/pipelines/${number}`)).json;
  expect(run).toMatchObject({
    source: "manual",
    ref: "refs/heads/other",
    inputs: {
      target: "staging",
      area: "mars",
      version: " 1.4 ",
      replicas: 3.5,
      greeting: "",
      dry_run: false,
      loud: false,
      lines: "one\ntwo",
      note: null,
    },
  });
});

test("what would run shows a short matrix whole, and a long one as a line that can be opened", async () => {
  expect((await person.send("POST", "/repos", { name: "matrices" })).status).toBe(201);
  const text = `jobs:
  few: { image: busybox, matrix: { os: [linux, alpine] }, steps: [echo] }
  many:
    image: busybox
    matrix: { node: [a, b, c, d, e, f], os: [linux, alpine] }
    when: { matrix: { os: linux } }
    steps: [echo]
  ship:
    image: busybox
    environment: production
    outputs: { unused: "\${{ steps.a.outputs.x }}" }
    steps:
      - { id: a, run: echo }
      - { name: only there, run: echo, when: { branch: there } }
      - { name: tell, run: echo, when: { status: failure } }
  documented: { image: busybox, when: { paths: ["docs/**"], actor: ben }, steps: [echo] }
  first: { image: busybox, priority: "\${{ branch == 'main' && 90 || 0 }}", steps: [echo] }
  keyless: { image: busybox, secrets: [NOWHERE], steps: [echo] }
`;
  const content = Buffer.from(text).toString("base64");
  const body = { message: "matrices", content, branch: "main" };
  const path = "/repos/ada/matrices/contents/.forgeline.yml";
  expect((await person.send("PUT", path, body)).status).toBe(200);
  await ada.goto("/ada/matrices/pipelines");
  await ada.page.getByRole("button", { name: "Run pipeline" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Run pipeline" });
  await dialog.getByRole("button", { name: "What would run?" }).click();
  await dialog.getByText("few (alpine)").waitFor();
  const said = await dialog.getByRole("listitem").allInnerTexts();
  expect(said).toContain("first (priority 90)");
  expect(said).toContain("keyless Ends with an error: The secret NOWHERE does not exist.");
  expect(await dialog.getByText("many (f, alpine)").isVisible()).toBe(false);
  await dialog.getByText("many: 6 of 12 combinations").click();
  await dialog.getByText("many (f, alpine)").waitFor();
  expect(said).toContain("ship → production");
  expect(said).toContain("documented Skipped: Its condition is not met: paths: [docs/**], actor: ben.");
  await dialog.getByText("Warnings about the file").waitFor();
  await dialog.getByText("2 steps with conditions").click();
  await dialog.getByText("tell Decided during the run: status: failure.").waitFor();
  await dialog.getByText("only there Skipped").waitFor();
  await lookAtPage(ada);
  await dialog.getByLabel("Event to look at").selectOption("push");
  await dialog.getByText("Changed files and user").click();
  await dialog.getByLabel("Or changed files, separated by commas").fill("docs/a.md, b");
  expect(await dialog.getByLabel("Changes since this branch, tag or commit").isDisabled()).toBe(true);
  const user = dialog.getByLabel("User name of who causes it");
  await user.fill("ben");
  // Looks, and starts no run.
  await user.press("Enter");
  await dialog.getByText("2 files change.").waitFor();
  expect(await dialog.getByRole("listitem").allInnerTexts()).toContain("documented");
  await lookAtPage(ada);
});

test("the editor tells what its text would run, before it is committed", async () => {
  await ada.goto("/ada/matrices/pipelines/edit");
  const look = ada.page.getByRole("button", { name: "What would run?" });
  await look.click();
  await ada.page.getByText("few (alpine)").waitFor();
  await ada.page.getByRole("textbox", { name: /^Text of / }).click();
  await ada.page.keyboard.press("Control+End");
  await ada.page.keyboard.insertText("  later: { image: busybox, steps: [echo] }\n");
  await ada.page.getByText("few (alpine)").waitFor({ state: "detached" });
  await look.click();
  await ada.page
    .getByRole("listitem")
    .filter({ hasText: /^later$/ })
    .waitFor();
  await lookAtPage(ada);
});

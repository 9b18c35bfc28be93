/** The page of a run shows its templates, and what is wrong in one; the editor shows that where it is used. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Person } from "../support/browser.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const at = "/repos/ada/shared";
let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let person: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  await signUp(server, "ada", password);
  person = openBrowser(server);
  await person.signIn("ada", password);
  ada = await openVisitor(browser, server.webUrl);
  await ada.signIn("ada", password);
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

async function write(path: string, text: string) {
  const before = await person.send("GET", `${at}/contents/${path}`);
  const sha = before.status === 200 ? { sha: before.json.sha } : {};
  const content = Buffer.from(text).toString("base64");
  const body = { message: path, content, branch: "main", ...sha };
  expect((await person.send("PUT", `${at}/contents/${path}`, body)).status).toBe(200);
}

test("templates are shown with their commits, and a mistake in one with the way to it", async () => {
  expect((await person.send("POST", "/repos", { name: "shared" })).status).toBe(201);
  await write("ci/t.yml", "steps: [make]\n");
  await write(".forgeline.yml", "on: [manual]\nimage: busybox\nsteps:\n  - uses: ./ci/t.yml\n");
  const sha = (await person.send("GET", `${at}/commits/main`)).json.sha as string;
  const run = await person.send("POST", `${at}/pipelines`, {});
  await ada.goto(`/ada/shared/pipelines/${run.json.number}`);
  const templates = ada.page.getByRole("region", { name: "Templates" });
  const link = templates.getByRole("link", { name: "./ci/t.yml" });
  expect(await link.getAttribute("href")).toBe(`/ada/shared/blob/${sha}/ci/t.yml`);
  await lookAtPage(ada);

  await ada.page.goto(`${server.webUrl}/ada/shared/pipelines`);
  await ada.page.getByRole("button", { name: "Run pipeline" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Run pipeline" });
  await dialog.getByRole("button", { name: "What would run?" }).click();
  await dialog.getByRole("region", { name: "Templates" }).waitFor();
  await lookAtPage(ada);

  await write("ci/t.yml", "steps: [{ run: make, idd: x }]\n");
  const broken = await person.send("POST", `${at}/pipelines`, {});
  await ada.page.goto(`${server.webUrl}/ada/shared/pipelines/${broken.json.number}`);
  await ada.page.getByText("ci/t.yml, line 1: unknown key").first().waitFor();
  await ada.page.getByText("used by .forgeline.yml, line 4").waitFor();
  await lookAtPage(ada);

  await ada.page.getByRole("link", { name: "Edit the pipeline file" }).click();
  await ada.page.getByText("ci/t.yml:1: unknown key").first().waitFor();
});

/** The pages of environments: created and protected, what was deployed, going back, variables and secrets, and deleting. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Sender } from "../support/browser.ts";
import { reachGates } from "../support/approvals.ts";
import { insertDeployment } from "../support/deployments.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

let server: ApiServer;
let browser: Browser;
let ada: Visitor;
let bob: Visitor;
let sender: Sender;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
  for (const name of ["ada", "bob"]) await signUp(server, name, password);
  ada = await openVisitor(browser, server.webUrl);
  page = ada.page;
  await ada.signIn("ada", password);
  bob = await openVisitor(browser, server.webUrl);
  await bob.signIn("bob", password);
  sender = openBrowser(server);
  await sender.signIn("ada", password);
  await sender.send("POST", "/repos", { name: "app", private: true });
  const file = "image: busybox\nenvironment: production\nsteps: ['true']\n";
  await sender.send("PUT", "/repos/ada/app/contents/.forgeline.yml", {
    message: "x",
    content: Buffer.from(file).toString("base64"),
    branch: "main",
  });
  await sender.send("PUT", "/repos/ada/app/collaborators/bob", { permission: "write" });
});
afterAll(async () => {
  await closeWindows(browser);
  await server?.stop();
});

test("one is created with its protection, which is changed", async () => {
  await ada.goto("/ada/app/environments");
  await page.getByText("No environments").waitFor();
  const tab = page.getByRole("link", { name: "Pipelines", exact: true });
  expect(await tab.first().getAttribute("aria-current")).toBe("page");
  await page.getByRole("button", { name: "New environment" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("production");
  await dialog.getByLabel("Approvers").fill("nobody-here");
  await dialog.getByLabel("Approvals needed").fill("1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("There is no user or team nobody-here.", { exact: true }).waitFor();
  ada.forgiveRefusals();
  await dialog.getByLabel("Approvers").fill("bob");
  await dialog.getByLabel("Branches").fill("main, release/*");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("branches main, release/*; 1 approval by bob").waitFor();
  await lookAtPage(ada);
  await page.getByRole("link", { name: "production" }).click();
  await page.getByText("Nothing was deployed yet").waitFor();
  await page.getByLabel("Wait, in minutes").fill("15");
  await page.getByLabel("Permission to approve").selectOption("Maintain");
  await page.getByLabel("Who started the run, and the author of the commit").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Protection saved.").waitFor();
  await page.getByText("1 approval by bob, anyone with Maintain; not by oneself; wait of 15 min").waitFor();
  await lookAtPage(ada);
});

test("what was deployed is shown, and is deployed again", async () => {
  const { db } = server.container.platform;
  const run = (await sender.send("POST", "/repos/ada/app/pipelines", {})).json as {
    id: string;
    number: number;
  };
  const url = "https://shop.example.com/";
  const place = { pipelineId: run.id, environment: "production" };
  await insertDeployment(db, { ...place, url });
  await insertDeployment(db, { ...place, status: "failed" });
  const earlier = (await sender.send("POST", "/repos/ada/app/pipelines", {})).json as { id: string };
  const held = (await sender.send("POST", "/repos/ada/app/pipelines", {})).json as {
    id: string;
    number: number;
  };
  await db.query("update pipelines set sha = $2 where id = $1", [earlier.id, "e".repeat(40)]);
  const before = await insertDeployment(db, { pipelineId: earlier.id, environment: "production" });
  await db.query("update deployments set created_at = now() - interval '1 day' where id = $1", [before]);
  await db.query("update environments set branches = '{}' where name = 'production'");
  await reachGates(server.container.pipelines.runs, held.id);
  await db.query("update pipelines set status = 'success', finished_at = now() where id = $1", [run.id]);
  await db.query("update jobs set status = 'success', finished_at = now() where pipeline_id = $1", [run.id]);
  await ada.goto("/ada/app/environments/production");
  expect(await page.getByRole("link", { name: url }).getAttribute("href")).toBe(url);
  await page.getByText("current", { exact: true }).waitFor();
  const changes = page.getByRole("link", { name: /^since eeeeeeee of run #/ });
  expect(await changes.getAttribute("href")).toMatch(/\/ada\/app\/compare\/e{40}\.\.\./);
  await page.getByRole("heading", { name: "Waiting to deploy" }).waitFor();
  const waiting = page.getByRole("listitem").filter({ hasText: `#${held.number} main` });
  await waiting.getByRole("link", { name: `#${held.number} main` }).waitFor();
  await waiting
    .getByText(
      "Waits for approval to deploy to production by bob or anyone with Maintain, but not by who started the run or wrote the commit.",
    )
    .waitFor();
  await page.getByRole("heading", { name: "Statistics" }).waitFor();
  const fact = (name: string) => page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd");
  expect(await fact("Failed or rolled back").textContent()).toBe("33.3%");
  await page.getByText("Deployments by day").first().click();
  await lookAtPage(ada);
  await page.getByLabel("Period").selectOption("7 days");
  await page.getByText("0.29 a day, 2 a week").waitFor();
  expect(await page.getByRole("button", { name: `Deploy again: run #${run.number}` }).count()).toBe(1);
  await page.getByRole("button", { name: `Deploy again: run #${run.number}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy again" }).click();
  await page.getByText("The job runs again.").waitFor();
});

test("its variables and secrets are on pages of their own, for maintainers to change", async () => {
  await ada.goto("/ada/app/environments/production");
  await page.getByRole("link", { name: "Variables" }).click();
  await page.getByText("Jobs that deploy to this environment have them").waitFor();
  await page.getByRole("button", { name: "Set variable" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("REGION");
  await dialog.getByLabel("Value").fill("eu");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("REGION").waitFor();
  await lookAtPage(ada);
  await ada.goto("/ada/app/environments/production/secrets");
  await page.getByText("Jobs that deploy to this environment can ask for them").waitFor();
  await page.getByRole("button", { name: "Add secret" }).waitFor();
  await bob.goto("/ada/app/environments/production/variables");
  await bob.page.getByText("REGION").waitFor();
  expect(await bob.page.getByRole("button", { name: /Set variable|Change|Delete/ }).count()).toBe(0);
  await bob.goto("/ada/app/environments/production");
  await bob.page.getByText("shop.example.com").waitFor();
  expect(await bob.page.getByRole("button", { name: /Save|Delete/ }).count()).toBe(0);
});

test("it is deleted once its name was typed", async () => {
  await ada.goto("/ada/app/environments/production");
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("production");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No environments").waitFor();
  expect(page.url()).toMatch(/\/ada\/app\/environments$/);
});

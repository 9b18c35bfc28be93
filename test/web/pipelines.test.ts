/** The list of runs, starting one, and writing the file that they come from. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Person } from "../support/browser.ts";
import { insertRun, planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import {
  hasChromium,
  openChromium,
  openVisitor,
  password,
  startWebServer,
  type Visitor,
} from "../support/web/visitor.ts";

const evil = "<img src=x onerror=alert(1)>";
const file = "image: busybox\nsteps:\n  - echo hello\n";

describe.skipIf(!hasChromium)("pipelines", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;
  let person: Person;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), openChromium()]);
    await signUp(server, "ada", password);
    person = openBrowser(server);
    await person.signIn("ada", password);
    ada = await openVisitor(browser, server.webUrl);
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function repository(name: string, visibility = "private"): Promise<void> {
    const answer = await person.send("POST", "/repos", { name, visibility });
    expect(answer.status).toBe(201);
  }

  /** A commit, by which runs begin; no worker carries them on. */
  async function write(name: string, path: string, content: string, message: string, branch?: string) {
    const answer = await person.send("PUT", `/repos/ada/${name}/contents/${path}`, {
      message,
      content: Buffer.from(content).toString("base64"),
      ...(branch && { branch }),
    });
    expect(answer.status).toBe(200);
  }

  const rows = () => ada.page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  const row = (words: string) => rows().filter({ hasText: words });

  test("a repository without runs shows how to get the first one", async () => {
    await repository("empty");
    await ada.goto("/ada/empty/pipelines");
    await ada.page.getByRole("heading", { name: "No run yet" }).waitFor();
    expect(await ada.page.getByRole("link", { name: "Pipelines" }).getAttribute("aria-current")).toBe("page");
    await lookAtPage(ada);
  });

  test("runs stand there with why they are as they are; a new one and a new status come by themselves", async () => {
    await repository("live");
    await write("live", ".forgeline.yml", file, `${evil} first\n\nmore`);
    await write("live", "other", "1", "nothing to do [skip ci]");
    await ada.goto("/ada/live/pipelines");
    await row(evil).getByText("created").waitFor();
    expect(await row("nothing to do").getByText("skipped", { exact: true }).count()).toBe(1);
    await lookAtPage(ada);
    await write("live", "more", "1", "a later one");
    await row("a later one").waitFor();
    await server.container.db.query(
      "update pipelines set status = 'failed', reason = 'exit:1', message = $1, finished_at = now() where number = 1",
      [`The step ended with ${evil}`],
    );
    await row("first").getByText("failed", { exact: true }).waitFor();
    await row("first").getByText(`The step ended with ${evil}`).waitFor();
    await lookAtPage(ada);
  });

  test("filters stand in the address, and what they leave can be left again", async () => {
    await repository("filtered");
    await write("filtered", ".forgeline.yml", file, "on main");
    await person.send("POST", "/repos/ada/filtered/branches", { name: "feature/x", ref: "main" });
    await write("filtered", "x", "1", "on a branch", "feature/x");
    await ada.goto("/ada/filtered/pipelines?ref=feature%2Fx");
    await row("on a branch").waitFor();
    // The branch itself was a run, too.
    expect(await rows().count()).toBe(2);
    await ada.page.getByLabel("Branch or tag").fill("main");
    await ada.page.getByLabel("Branch or tag").press("Enter");
    await ada.page.waitForURL(/\?ref=main$/);
    await row("on a branch").waitFor({ state: "detached" });
    expect(await rows().count()).toBe(1);
    await ada.page.getByLabel("Status").selectOption("failed");
    await ada.page.getByRole("heading", { name: "No run fits these filters" }).waitFor();
    expect(new URL(ada.page.url()).search).toBe("?ref=main&status=failed");
    await lookAtPage(ada);
    await ada.page.goBack();
    await row("on main").first().waitFor();
    await ada.page.getByRole("button", { name: "Show all" }).click();
    await row("on a branch").waitFor();
    expect(new URL(ada.page.url()).search).toBe("");
    // What is no status is no filter either.
    await ada.goto("/ada/filtered/pipelines?status=gone");
    await row("on a branch").waitFor();
  });

  test("more runs than a page holds have pages", async () => {
    await repository("many");
    const { id } = (await person.send("GET", "/repos/ada/many")).json;
    const { id: userId } = (await person.send("GET", "/user")).json;
    const plan = planOf([planJob({ key: "one" })]);
    for (let made = 0; made < 31; made++)
      await insertRun(server.container.db, { id, userId, owner: "ada", name: "many" }, plan);
    await ada.goto("/ada/many/pipelines?status=created");
    expect(await ada.page.getByText("Page 1 of 2").count()).toBe(1);
    await ada.page.getByRole("link", { name: "Next" }).click();
    await ada.page.getByText("#1", { exact: true }).waitFor();
    expect(new URL(ada.page.url()).search).toBe("?status=created&page=2");
    await lookAtPage(ada);
    await ada.goto("/ada/many/pipelines?page=9");
    await ada.page.getByRole("link", { name: "To the first page" }).click();
    await ada.page.getByText("#31", { exact: true }).waitFor();
  });
});

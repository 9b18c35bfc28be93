/** The list of runs, starting one, and writing the file that they come from. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer } from "../support/api-server.ts";
import { openBrowser, signUp, type Browser as Person } from "../support/browser.ts";
import { insertRun, planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

const evil = "<img src=x onerror=alert(1)>";
const file = "image: busybox\nsteps:\n  - echo hello\n";

describe("pipelines", () => {
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
    await server.container.platform.db.query(
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
    await expect.poll(() => rows().count()).toBe(2);
    await ada.page.getByLabel("Branch or tag").fill("main");
    await ada.page.getByLabel("Branch or tag").press("Enter");
    await ada.page.waitForURL(/\?ref=main$/);
    await row("on a branch").waitFor({ state: "detached" });
    await expect.poll(() => rows().count()).toBe(1);
    await ada.page.getByLabel("Status").selectOption("failed");
    await ada.page.getByRole("heading", { name: "No run matches these filters" }).waitFor();
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

  test("commits show how their runs stand, and so does the start page of the instance", async () => {
    await repository("marked");
    await write("marked", ".forgeline.yml", file, "first");
    await ada.goto("/ada/marked/commits");
    const mark = ada.page.getByRole("link", { name: "Run #1: created" });
    await mark.waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("link", { name: "first", exact: true }).first().click();
    const run = ada.page.getByRole("link", { name: "created #1" });
    await run.waitFor();
    await lookAtPage(ada);
    await run.click();
    await ada.page.waitForURL(`${server.webUrl}/ada/marked/pipelines/1`);
    await ada.goto("/");
    await ada.page.getByRole("row", { name: "ada/marked created" }).waitFor();
    await lookAtPage(ada);
  });

  test("more runs than a page holds have pages", async () => {
    await repository("many");
    const { id } = (await person.send("GET", "/repos/ada/many")).json;
    const { id: userId } = (await person.send("GET", "/user")).json;
    const plan = planOf([planJob({ key: "one" })]);
    for (let made = 0; made < 31; made++)
      await insertRun(server.container.platform.db, { id, userId, owner: "ada", name: "many" }, plan);
    await ada.goto("/ada/many/pipelines?status=created");
    await ada.page.getByText("Page 1 of 2").waitFor();
    await ada.page.getByRole("link", { name: "Next" }).click();
    await ada.page.getByText("#1", { exact: true }).waitFor();
    expect(new URL(ada.page.url()).search).toBe("?status=created&page=2");
    await lookAtPage(ada);
    await ada.goto("/ada/many/pipelines?page=9");
    await ada.page.getByRole("link", { name: "Go to the first page" }).click();
    await ada.page.getByText("#31", { exact: true }).waitFor();
  });

  test("a run is started by a button: where, which file, with which variables; what it would do is seen before", async () => {
    await repository("started");
    const gated = "on: { manual: }\nimage: busybox\nsteps: [{ run: make, when: { branch: main } }]\n";
    await write("started", ".forgeline/build.yml", file, "build");
    await write("started", ".forgeline/deploy.yml", gated, "deploy [skip ci]");
    await ada.goto("/ada/started/pipelines");
    await ada.page.getByRole("button", { name: "Run pipeline" }).click();
    const dialog = ada.page.getByRole("dialog", { name: "Run pipeline" });
    await dialog.getByLabel("Pipeline", { exact: true }).selectOption("deploy.yml");
    await dialog.getByRole("button", { name: "Add a variable" }).click();
    await dialog.getByLabel("Name of variable 1").fill("TARGET");
    await dialog.getByLabel("Value of variable 1").fill(evil);
    await dialog.getByRole("button", { name: "What would run?" }).click();
    await dialog.getByRole("heading", { name: "Stage main" }).waitFor();
    await lookAtPage(ada);
    await dialog.getByRole("button", { name: "Run pipeline" }).click();
    await ada.page.waitForURL(/\/ada\/started\/pipelines\/\d+$/);
    const number = ada.page.url().split("/").at(-1);
    const run = (await person.send("GET", `/repos/ada/started/pipelines/${number}`)).json;
    expect(run).toMatchObject({
      source: "manual",
      pipeline: ".forgeline/deploy.yml",
      ref: "refs/heads/main",
      variables: ["TARGET"],
    });
  });

  test("what cannot be started says why, and what was typed stays", async () => {
    await repository("refused");
    await write("refused", ".forgeline.yml", `on: push\n${file}`, "push only");
    await ada.goto("/ada/refused/pipelines");
    await ada.page.getByRole("button", { name: "Run pipeline" }).click();
    const dialog = ada.page.getByRole("dialog", { name: "Run pipeline" });
    await dialog.getByRole("button", { name: "Run pipeline" }).click();
    await dialog.getByText('does not list the event manual under "on"').waitFor();
    const ref = dialog.getByLabel("Branch, tag or commit");
    await ref.fill("nowhere");
    await ref.press("Tab");
    await dialog.getByText("No branch, tag or commit is named nowhere.").waitFor();
    expect(await ref.inputValue()).toBe("nowhere");
    // The browser tells each refusal in its console.
    ada.forgiveRefusals();
    await lookAtPage(ada);
  });

  test("who may only read has no button, and a visitor sees no runs that are kept from the public", async () => {
    await repository("shown", "public");
    await write("shown", ".forgeline.yml", file, "seen by all");
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.goto("/ada/shown/pipelines");
    await visitor.page.getByText("seen by all").waitFor();
    expect(await visitor.page.getByRole("button", { name: "Run pipeline" }).count()).toBe(0);
    await person.send("PATCH", "/repos/ada/shown", { public_pipelines: false });
    await visitor.goto("/ada/shown/pipelines");
    await visitor.page.getByRole("heading", { name: "The runs of this repository are not public" }).waitFor();
    const asked: string[] = [];
    visitor.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    // An interval like that of runs, which is quick in tests.
    const threeTimes = "(done, left = 3) => setInterval(() => (left -= 1) || done(), 5_000)";
    await visitor.page.evaluate(`new Promise(${threeTimes})`);
    expect(asked.filter((path) => path.endsWith("/pipelines"))).toEqual([]);
    visitor.forgiveRefusals();
    await lookAtPage(visitor);
    await visitor.close();
  });

  describe("the editor", () => {
    const text = () => ada.page.getByRole("textbox", { name: /^Text of / });
    const commit = () => ada.page.getByRole("button", { name: "Commit", exact: true });

    async function contentOf(name: string, path: string, ref: string) {
      const query = `ref=${encodeURIComponent(ref)}`;
      const answer = await person.send("GET", `/repos/ada/${name}/contents/${path}?${query}`);
      return Buffer.from(answer.json.content as string, "base64").toString();
    }

    test("makes the first run of an empty repository", async () => {
      await repository("begun");
      await ada.goto("/ada/begun/pipelines");
      await ada.page.getByRole("link", { name: "Write it here" }).click();
      await ada.page.getByText("The file is valid.").waitFor();
      await lookAtPage(ada);
      await commit().click();
      await ada.page.waitForURL(/\/ada\/begun\/pipelines$/);
      await row("Add .forgeline.yml").waitFor();
      expect(await contentOf("begun", ".forgeline.yml", "main")).toContain("steps:");
    });

    test("completes out of the schema, and shows what is wrong at its line", async () => {
      await repository("typed");
      await write("typed", ".forgeline.yml", "# Ünïcode\n", "begin [skip ci]");
      await ada.goto("/ada/typed/pipelines/edit");
      await text().click();
      await ada.page.keyboard.press("Control+End");
      await ada.page.keyboard.type("ste");
      await ada.page.getByRole("option", { name: "steps" }).waitFor();
      await lookAtPage(ada);
      await ada.page.keyboard.press("Enter");
      await ada.page.keyboard.type("echo hello");
      await ada.page.keyboard.press("Escape");
      const problems = ada.page.getByRole("list", { name: "Problems" });
      await problems.getByText("image").first().waitFor();
      await lookAtPage(ada);
      await ada.page.keyboard.press("ControlOrMeta+a");
      await ada.page.keyboard.insertText(`# Ünïcode\n${file}`);
      await ada.page.getByText("The file is valid.").waitFor();
      await ada.page.keyboard.press("Control+End");
      await ada.page.keyboard.insertText("  - name: ä\n");
      await problems.getByRole("button", { name: "Line 5" }).first().click();
      await expect
        .poll(() => text().evaluate((field) => field.contains(field.ownerDocument.activeElement)))
        .toBe(true);
      await ada.page.getByLabel("Message").fill(`Say ${evil}`);
      await ada.page.getByLabel("Branch to commit to").fill("broken/one");
      await commit().click();
      await row("Say").getByText("error", { exact: true }).waitFor();
      expect(await contentOf("typed", ".forgeline.yml", "broken/one")).toBe(
        `# Ünïcode\n${file}  - name: ä\n`,
      );
      ada.forgiveRefusals();
    });

    test("of several files writes the chosen one, asks before it forgets, and keeps what a refusal hit", async () => {
      await repository("several");
      for (const name of ["build", "deploy"]) await write("several", `.forgeline/${name}.yml`, file, name);
      await ada.goto("/ada/several/pipelines");
      await ada.page.getByRole("link", { name: "Edit pipeline" }).click();
      await ada.page.getByLabel("File", { exact: true }).selectOption(".forgeline/deploy.yml");
      await ada.page.waitForURL(/file=.forgeline%2Fdeploy.yml/);
      await ada.page.getByRole("textbox", { name: "Text of .forgeline/deploy.yml" }).click();
      await ada.page.keyboard.press("Control+End");
      await ada.page.keyboard.type("# more");
      await ada.page.getByRole("link", { name: "Pipelines" }).click();
      const asked = ada.page.getByRole("dialog", { name: "Leave without saving?" });
      await asked.getByRole("button", { name: "Cancel" }).click();
      await write("several", "other", "1", "meanwhile");
      const { sha } = (await person.send("GET", "/repos/ada/several/contents/.forgeline/deploy.yml")).json;
      const theirs = { message: "theirs", content: Buffer.from(`${file}#`).toString("base64"), sha };
      await person.send("PUT", "/repos/ada/several/contents/.forgeline/deploy.yml", theirs);
      await commit().click();
      await ada.page.getByRole("alert").waitFor();
      expect(await text().textContent()).toContain("# more");
      ada.forgiveRefusals();
      // Chromium copies the look of a comment in the editor into a style attribute, which the policy refuses.
      ada.troubles.length = 0;
      await lookAtPage(ada);
      await ada.page.getByRole("link", { name: "Pipelines" }).click();
      await asked.getByRole("button", { name: "Leave" }).click();
      await row("theirs").first().waitFor();
      await ada.page.getByRole("link", { name: "Edit pipeline" }).click();
      await ada.page.getByLabel("File", { exact: true }).selectOption("New file…");
      await ada.page.getByLabel("Name of the new pipeline").fill("nightly");
      await ada.page.getByRole("button", { name: "Open" }).click();
      await ada.page.getByRole("textbox", { name: "Text of .forgeline/nightly.yml" }).waitFor();
      await commit().click();
      await row("Add .forgeline/nightly.yml").first().waitFor();
    });
  });
});

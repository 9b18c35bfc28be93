/** The page of a run: its graph, and logs that come live, from the first line, whole over a cut, and as nothing but text. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { signUp } from "../support/browser.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { closeWindows, sharedChromium } from "../support/web/shared-chromium.ts";
import { openVisitor, password, startWebServer, type Visitor } from "../support/web/visitor.ts";

/** So that a test can cut what the page has opened. */
const keepSockets = `{
  const Native = WebSocket;
  globalThis.sockets = [];
  globalThis.WebSocket = class extends Native {
    constructor(...given) { super(...given); sockets.push(this); }
  };
}`;
const markup = "<img src=x onerror=alert(1)>";

describe("the page of a run", () => {
  let server: ApiServer;
  let browser: Browser;
  let person: TestPerson;
  let ada: Visitor;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startWebServer(), sharedChromium()]);
    await signUp(server, "ada", password);
    const user = await server.container.platform.db.one<{ id: string }>(
      "select id from users where username = 'ada'",
    );
    person = { id: user?.id ?? "", username: "ada", token: "" };
    person.token = await server.tokenFor(person, [
      "repo:read",
      "repo:write",
      "pipeline:read",
      "pipeline:write",
    ]);
    ada = await openVisitor(browser, server.webUrl);
    await ada.signIn("ada", password);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await server?.stop();
  });

  const log = (visitor = ada) => visitor.page.getByRole("region", { name: /^Log of/ });
  // Before it Chromium takes what has the focus for where it was when it was last drawn, and scrolls there.
  const nextFrame = () =>
    ada.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const focusedLine = () => ada.page.evaluate<string>("document.activeElement.textContent");

  test("shows stages, jobs and why they wait or failed, and nothing that users wrote as markup", async () => {
    const plan = planOf([
      planJob({ key: "compile", stage: "build", name: `compile ${markup}` }),
      planJob({ key: "unit", stage: "test", needs: [{ job: "compile", optional: false }] }),
      planJob({ key: "deploy", stage: "deploy", needs: [{ job: "unit", optional: false }] }),
    ]);
    const run = await runInRows(server, person, { name: "graph", plan });
    const attempt = await run.begin("compile", ["install", `build ${markup}`], 0);
    await attempt.print(0, "cloning\n");
    await attempt.print(1, "installed\n");
    const esc = "\u001b";
    await attempt.print(
      2,
      `${markup}\n${esc}[31mred${esc}[0m ${esc}[1;38;5;208morange${esc}[0m ${esc}[38;2;20;120;40mgreen\nstill green${esc}[0m\n` +
        `${esc}]8;;javascript:alert(1)${esc}\\no link${esc}]8;;${esc}\\\n::group::Details ${markup}\nhidden\n::endgroup::\nafter\n`,
    );
    await attempt.end("failed", { status: "failed", exitCode: 7 });
    await run.setJob("compile", "failed", { reason: "exit:7", message: "Step 2 ended with exit code 7." });
    await run.setJob("unit", "queued", {
      reason: "no_runner",
      message: "No runner has the label gpu; the nearest is one.",
    });
    await run.setRun("running");
    const outputs = { note: `${markup} ${"long ".repeat(1_000)}` };
    await server.container.platform.db.query(
      "update jobs set outputs = $2 where pipeline_id = $1 and key = 'compile'",
      [run.id, JSON.stringify(outputs)],
    );
    await ada.goto(run.path);
    await ada.page.getByRole("heading", { name: `compile ${markup}` }).waitFor();
    await ada.page.getByRole("button", { name: "Show outputs" }).click();
    await ada.page.getByText(`${markup} long long`).waitFor();
    await log().getByText("still green").waitFor();
    expect(await ada.page.locator("img[onerror], [href^=javascript]").count()).toBe(0);
    expect(await log().getByText("hidden").count()).toBe(0);
    await log()
      .getByRole("button", { name: `Details ${markup}` })
      .click();
    await log().getByText("hidden").waitFor();
    expect(
      await log()
        .getByText("red", { exact: true })
        .evaluate((span) => span.className),
    ).toContain("c1");
    expect(await log().getByText("no link").locator("a").count()).toBe(0);
    await log().getByText("exit code 7").waitFor();
    expect(await log().getByText("in parallel").count()).toBe(2);
    expect(await ada.page.getByRole("link", { name: "aaaaaaaa", exact: true }).getAttribute("href")).toBe(
      `/ada/graph/commit/${"a".repeat(40)}`,
    );
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: /^queued unit/ }).focus();
    await ada.page.keyboard.press("Enter");
    await ada.page.getByText("No runner has the label gpu; the nearest is one.").first().waitFor();
    await ada.page.waitForURL(/#unit$/);
    await ada.page.getByRole("button", { name: "Timeline" }).click();
    await ada.page.getByText("Image and set-up").first().waitFor();
    await lookAtPage(ada);
  });

  test("a broken file says where it is wrong, and what fetches the page stays small", async () => {
    const { db } = server.container.platform;
    const run = await runInRows(server, person, { name: "broken", plan: planOf([]) });
    const diagnostics = [
      {
        severity: "error",
        code: "P104",
        message: `There is no key ${markup}.`,
        file: ".forgeline.yml",
        line: 3,
        column: 1,
        end_line: 3,
        end_column: 5,
        docs: "/pipelines/errors#P104",
        hint: "Did you mean steps?",
      },
    ];
    await db.query(
      "update pipelines set status = 'error', reason = 'config', message = 'The file has an error.', diagnostics = $2 where id = $1",
      [run.id, JSON.stringify(diagnostics)],
    );
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.signIn("ada", password);
    await visitor.goto(run.path);
    await visitor.page
      .getByText(`.forgeline.yml, line 3: There is no key ${markup}. Did you mean steps?`)
      .waitFor();
    await lookAtPage(visitor);
    const edit = visitor.page.getByRole("link", { name: "Edit the pipeline file" });
    expect(await edit.getAttribute("href")).toMatch(/\/ada\/broken\/pipelines\/edit\?ref=main&file=/);
    await visitor.close();
  });

  test("shows a log from its first line while it grows, and whole when the connection was cut in between", async () => {
    const run = await runInRows(server, person, { name: "live", plan: planOf([planJob({ key: "build" })]) });
    await run.setRun("running");
    const attempt = await run.begin("build", ["work"]);
    await run.setJob("build", "running");
    await attempt.print(1, "first line\n");
    await ada.page.addInitScript(keepSockets);
    await ada.goto(run.path);
    await log().getByText("first line").waitFor();
    await attempt.print(1, "second ");
    await attempt.print(1, "line\n");
    await log().getByText("second line").waitFor();
    await ada.page.evaluate("sockets.at(-1).close()");
    await attempt.print(1, "third line\n");
    await attempt.end("success");
    await run.setJob("build", "success");
    await run.setRun("success");
    await log().getByText("third line").waitFor();
    await ada.page.getByRole("button", { name: "Run again" }).waitFor();
    const lines = await log().locator("[class*=line] [class*=text]").allTextContents();
    expect(lines).toEqual(["first line", "second line", "third line"]);
    expect(await ada.page.evaluate("sockets.length")).toBe(2);
  });

  test("scrolls, searches and links a log of 120,000 lines, and follows it until somebody scrolls up", async () => {
    const run = await runInRows(server, person, { name: "long", plan: planOf([planJob({ key: "build" })]) });
    await run.setRun("running");
    const attempt = await run.begin("build", ["work"]);
    await run.setJob("build", "running");
    const count = 120_000;
    await attempt.print(1, Array.from({ length: count }, (_, at) => `line number ${at + 1}\n`).join(""));
    await ada.goto(run.path);
    // It follows what comes.
    await log().getByText(`line number ${count}`, { exact: true }).waitFor();
    expect(await log().locator("[class*=_line_]").count()).toBeLessThan(200);
    await attempt.print(1, "one more\n");
    await log().getByText("one more").waitFor();
    await log().evaluate((element) => element.scrollTo(0, element.scrollTop - 4_000));
    await ada.page.getByRole("button", { name: "Follow", pressed: false }).waitFor();
    await attempt.print(1, "not seen\n");
    await log()
      .getByText(`line number ${count - 200}`, { exact: true })
      .waitFor();
    await ada.page.getByRole("button", { name: "Follow" }).click();
    await log().getByText("not seen").waitFor();
    // Search goes round.
    await ada.page.getByLabel("Search the log").fill("NUMBER 7777");
    await ada.page.getByText("0 of 11").waitFor();
    await ada.page.keyboard.press("Enter");
    await log().getByText("line number 7777", { exact: true }).waitFor();
    await ada.page.keyboard.press("Shift+Enter");
    await log().getByText("line number 77779", { exact: true }).waitFor();
    await ada.page.getByText("11 of 11").waitFor();
    await ada.page.getByLabel("Search the log").fill("");
    await ada.page.getByRole("button", { name: "Times" }).click();
    await log()
      .getByText(/^\d\d:\d\d:\d\d\.\d{3}$/)
      .first()
      .waitFor();
    // A line has an address, which leads there.
    await log().getByRole("link", { name: "Link to line 77779" }).click();
    await ada.page.waitForURL(/#build@1:0:77779$/);
    await ada.page.reload();
    await log().getByText("line number 77779", { exact: true }).waitFor();
    await ada.page.getByRole("button", { name: "Follow", pressed: false }).waitFor();
    await lookAtPage(ada);
    // Of its numbers the keyboard takes one, and goes on with arrows.
    await log().getByRole("link", { name: "Link to line 77779" }).focus();
    for (const key of ["ArrowDown", "PageDown", "PageDown", "ArrowUp"]) {
      const before = await focusedLine();
      await ada.page.keyboard.press(key);
      await expect.poll(focusedLine).not.toBe(before);
    }
    await expect.poll(focusedLine).toBe("77819");
    await ada.page.keyboard.press("Enter");
    await ada.page.waitForURL(/#build@1:0:77819$/);
    await log().locator("[data-mark=target]").getByText("line number 77819", { exact: true }).waitFor();
    await ada.page.keyboard.press("Home");
    await expect.poll(focusedLine).toBe("1");
    await log().evaluate((element) => element.scrollTo(0, 50_000));
    await log().and(ada.page.locator(":focus")).waitFor();
    await nextFrame();
    await ada.page.keyboard.press("Tab");
    await log().getByRole("button", { name: "work" }).and(ada.page.locator(":focus")).waitFor();
    await nextFrame();
    await ada.page.keyboard.press("Tab");
    await log().getByRole("link").and(ada.page.locator(":focus")).waitFor();
    expect(Number(await focusedLine())).toBeGreaterThan(2_400);
  });

  test("shows attempts, one and two beside each other, and runs again and cancels only for those who may", async () => {
    const run = await runInRows(server, person, { name: "tries", plan: planOf([planJob({ key: "build" })]) });
    for (const [words, status] of [
      ["went wrong", "failed"],
      ["went well", "success"],
    ] as const) {
      const attempt = await run.begin("build", ["work"]);
      await attempt.print(1, `${words}\n`);
      await attempt.end(status);
    }
    await run.setJob("build", "success");
    await run.setRun("success");
    await ada.goto(run.path);
    await log().getByText("went well").waitFor();
    await ada.page.getByLabel("Compare with").selectOption("Attempt 1");
    await log().getByText("went wrong").waitFor();
    await expect.poll(() => log().count()).toBe(2);
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Attempt 1" }).click();
    await log().getByText("went well").waitFor({ state: "detached" });
    await log().getByText("went wrong").waitFor();
    const raw = await ada.page.getByRole("link", { name: "Raw" }).first().getAttribute("href");
    const answer = await server.api("GET", `/${raw}`, { token: person.token });
    expect(answer.text).toBe("went wrong\n");
    await ada.page.getByRole("button", { name: "Run this job again" }).click();
    await ada.page.getByRole("menuitem", { name: "With debug output" }).click();
    await ada.page.getByText("Debug output", { exact: true }).waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Cancel" }).click();
    await ada.page.getByRole("button", { name: "Cancel run" }).click();
    await ada.page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await server.api("GET", `/repos${run.path}`, { token: person.token })).json.sequence).toBe(2);
  });

  test("two tabs and two people see the same while a run goes on", async () => {
    const run = await runInRows(server, person, {
      name: "shared",
      plan: planOf([planJob({ key: "build" })]),
    });
    await signUp(server, "bea", password);
    const token = await server.tokenFor(person, ["repo:admin"]);
    const body = { permission: "read" };
    await server.api("PUT", "/repos/ada/shared/collaborators/bea", { token, body });
    const bea = await openVisitor(browser, server.webUrl);
    await bea.signIn("bea", password);
    const attempt = await run.begin("build", ["work"]);
    const second = await ada.context.newPage();
    await Promise.all([ada, bea].map((each) => each.goto(run.path)));
    await second.goto(`${server.webUrl}${run.path}`);
    const pages = [ada.page, second, bea.page];
    await attempt.print(1, "the first line\n");
    for (const page of pages) await page.getByText("the first line").waitFor();
    await attempt.end("failed", { status: "failed", exitCode: 3 });
    await run.setJob("build", "failed", { reason: "exit:3", message: "Step 1 ended with exit code 3." });
    await run.setRun("failed");
    for (const page of pages) await page.locator("main h1").filter({ hasText: "failed" }).waitFor();
    expect([...ada.troubles, ...bea.troubles]).toEqual([]);
    await second.close();
    await bea.close();
  });
});

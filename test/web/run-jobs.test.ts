/** Of the page of a run: a matrix as one job with a log for each combination, and the job of a silent runner. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { giveCredentials } from "../support/give-credentials.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { scriptBytes } from "../support/web/script-bytes.ts";
import { startAsAda, stopAsAda } from "../support/web/start-as-ada.ts";
import { openVisitor, password, type Visitor } from "../support/web/visitor.ts";

describe("the jobs of a run", () => {
  let server: ApiServer;
  let browser: Browser;
  let person: TestPerson;
  let ada: Visitor;

  beforeAll(async () => {
    ({ server, browser, person, ada } = await startAsAda());
  });
  afterAll(async () => {
    await stopAsAda({ browser, server });
  });

  test("loads little script for a run that went well", async () => {
    const plan = planOf([planJob({ key: "build" })]);
    const run = await runInRows(server, person, { name: "well", plan });
    const attempt = await run.begin("build", ["work"], 0);
    await attempt.print(1, "built\n");
    await attempt.end("success");
    await run.setJob("build", "success");
    await run.setRun("success");
    const visitor = await openVisitor(browser, server.webUrl);
    await visitor.signIn("ada", password);
    await visitor.goto(run.path);
    await visitor.page.waitForLoadState("networkidle");
    expect(await scriptBytes(visitor.page)).toBeLessThan(150 * 1000);
    await visitor.close();
  });

  test("folds a matrix into one job, and leads to the log of each combination", async () => {
    const combinations = ["20", "22"].flatMap((node) => ["linux", "alpine"].map((os) => ({ node, os })));
    const run = await runInRows(server, person, { name: "matrix", plan: matrixPlan(combinations) });
    for (const [combination, { node, os }] of combinations.entries()) {
      const attempt = await run.begin({ key: "unit", combination }, ["work"]);
      await attempt.print(1, `tested node ${node} on ${os}\n`);
      if (combination < 2) await attempt.end("success");
      if (combination < 2) await run.setJob({ key: "unit", combination }, "success");
    }
    await run.setRun("running");
    await ada.goto(`${run.path}#lint`);
    const matrix = ada.page.getByRole("button", { name: /^running unit.*2 of 4 done/ });
    await matrix.and(ada.page.locator("[aria-expanded=false]")).waitFor();
    await matrix.focus();
    await ada.page.keyboard.press("Enter");
    const log = ada.page.getByRole("region", { name: /^Log of/ });
    const list = ada.page.getByRole("list", { name: "Combinations of unit" });
    await expect.poll(() => list.getByRole("button").count()).toBe(4);
    await ada.page.keyboard.press("Tab");
    await ada.page.keyboard.press("Tab");
    await ada.page.keyboard.press("Enter");
    await ada.page.getByRole("heading", { name: "unit (20, alpine)" }).waitFor();
    await log.getByText("tested node 20 on alpine").waitFor();
    expect(await log.getByText("tested").count()).toBe(1);
    await log.getByRole("link", { name: "Link to line 1" }).click();
    await ada.page.waitForURL(/#job_\w+@1:0:1$/);
    await ada.page.reload();
    await log.locator("[data-mark=target]").getByText("tested node 20 on alpine").waitFor();
    await list.getByRole("button", { name: "22, linux" }).click();
    await log.getByText("tested node 22 on linux").waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Timeline" }).click();
    await list.getByRole("button", { name: "22, alpine" }).click();
    await log.getByText("tested node 22 on alpine").waitFor();
    await lookAtPage(ada);
  });

  test("declares the job of a silent runner lost, once that is confirmed", async () => {
    const { db } = server.container.platform;
    const run = await runInRows(server, person, {
      name: "silent",
      plan: planOf([planJob({ key: "deploy" })]),
    });
    await run.begin("deploy", ["work"]);
    await run.setRun("running");
    await db.query(
      "update job_attempts set unreachable = true, begun = true, job = jsonb_build_object('rerunIfLost', false) where pipeline_id = $1",
      [run.id],
    );
    await ada.goto(run.path);
    await ada.page.getByText("so it waits for its runner until its time limit").waitFor();
    await ada.page.getByText("The runner has been silent for some time: deploy").waitFor();
    const declare = ada.page.getByRole("button", { name: "Declare lost" });
    await declare.click();
    await lookAtPage(ada);
    await ada.page.getByRole("dialog").getByText("its results are refused").waitFor();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Declare lost" }).click();
    await ada.page.getByRole("dialog").waitFor({ state: "detached" });
    await declare.waitFor({ state: "detached" });
    await ada.page
      .getByText(/lost.*ada|ada.*lost/)
      .first()
      .waitFor();
  });

  test("tells the history of a run in words, and asks for it no earlier than somebody opens it", async () => {
    const { db } = server.container.platform;
    const run = await runInRows(server, person, { name: "past", plan: planOf([planJob({ key: "deploy" })]) });
    await run.begin("deploy", ["work"]);
    const changed = (nodes: string, rest: string) =>
      db.query(
        `insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status, reason, message, actor)
         select $1, ${rest} from ${nodes} n where n.pipeline_id = $1`,
        [run.id],
      );
    await changed("stages", "'stage', n.id, null, 'waiting', 'running', null, null, null");
    await changed("job_attempts", "'attempt', n.id, 1, 'queued', 'running', null, null, null");
    await changed("steps", "'step', n.id, 1, 'running', 'failed', 'exit:7', '<b>It broke.</b>', null");
    await changed("jobs", "'job', n.id, null, 'running', 'cancelled', 'cancelled', null, 'grace'");
    const asked: string[] = [];
    ada.page.on("request", (request) => asked.push(request.url()));
    await ada.goto(run.path);
    const opener = ada.page.getByText("History", { exact: true });
    await opener.waitFor();
    expect(asked.filter((url) => url.includes("/events"))).toEqual([]);
    await opener.click();
    const rows = ada.page.getByRole("table", { name: "Changes of status" }).getByRole("row");
    const row = (...words: string[]) =>
      words.reduce((found, hasText) => found.filter({ hasText }), rows).waitFor();
    await row("Stage ", "waiting", "running");
    await row("Attempt 1 of deploy", "queued", "running");
    await row("Step work of deploy", "failed", "<b>It broke.</b>");
    await row("Job deploy", "cancelled", "grace");
    await lookAtPage(ada);
  });

  test("says what the file allows of a job's network, and that a job is privileged", async () => {
    const long = Array.from({ length: 4 }, () => "a".repeat(60)).join(".");
    const allow = ["registry.npmjs.org", "*.example.com:443", "192.0.2.0/24", long];
    const run = await runInRows(server, person, {
      name: "rights",
      plan: planOf([
        planJob({ key: "install", network: { allow } }),
        planJob({ key: "test", network: { allow: [] } }),
        planJob({ key: "image", privileged: true }),
        planJob({ key: "plain" }),
      ]),
    });
    const shows = async (key: string, words: string[]) => {
      await ada.goto(`${run.path}#${key}`);
      const panel = ada.page.getByRole("region", { name: `Job ${key}` });
      await panel.getByRole("heading", { name: key }).waitFor();
      // They come a moment later.
      for (const word of words) await panel.getByText(word).waitFor();
      for (const word of ["reaches only", "no network", "privileged"])
        expect(await panel.getByText(word).count(), `${key}: ${word}`).toBe(words.includes(word) ? 1 : 0);
    };
    await shows("install", ["reaches only"]);
    await ada.page.getByText(`reaches only ${allow.join(", ")}`).waitFor();
    await lookAtPage(ada);
    await shows("test", ["no network"]);
    await shows("image", ["privileged"]);
    await lookAtPage(ada);
    await shows("plain", []);
  });

  test("says what the token of a job may do, and what its repository takes from it", async () => {
    const { page } = ada;
    const permissions = ["repo:read", "repo:write"] as const;
    const run = await runInRows(server, person, {
      name: "token",
      plan: planOf([planJob({ key: "release", permissions: [...permissions] }), planJob({ key: "plain" })]),
    });
    const panel = page.getByRole("region", { name: "Job release" });
    await ada.goto(`${run.path}#release`);
    await panel.getByText("token: repo:read, repo:write", { exact: true }).waitFor();
    await ada.goto("/ada/token/settings");
    await page.getByLabel("Tokens of jobs may").selectOption("only read");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    await ada.goto(`${run.path}#release`);
    await panel
      .getByText(
        "token: repo:read, repo:write (Tokens of jobs only read in this repository, as its settings say.)",
        { exact: true },
      )
      .waitFor();
    await lookAtPage(ada);
    await ada.goto(`${run.path}#plain`);
    await page.getByRole("region", { name: "Job plain" }).getByRole("heading", { name: "plain" }).waitFor();
    expect(await page.getByText("token:").count()).toBe(0);
  });

  test("says what a job was given, and what another one will lack", async () => {
    const wanted = { name: "NOWHERE", env: "NOWHERE", file: null, optional: false };
    const combinations = ["20", "22", "24"].map((node) => ({ node }));
    const matrix = { combinations, source: null, maxParallel: null, failFast: false };
    const run = await runInRows(server, person, {
      name: "given",
      plan: planOf([planJob({ key: "build" }), planJob({ key: "ship", secrets: [wanted], matrix })]),
    });
    await run.begin("build", ["work"]);
    await giveCredentials(server.container.platform.db, run.id);
    await ada.goto(`${run.path}#build`);
    await ada.page.getByText("ship (20) and 2 more: The secret NOWHERE does not exist.").waitFor();
    const panel = ada.page.getByRole("region", { name: "Job build" });
    await panel.getByRole("button", { name: "Secrets and identity tokens" }).click();
    await panel.getByText("secret of the organization").waitFor();
    await panel.getByText("identity token for sts.example.com").waitFor();
    await lookAtPage(ada);
  });
});

/** `unit` for each combination, and `lint`. */
function matrixPlan(combinations: Record<string, string>[]) {
  return planOf([
    planJob({ key: "lint", stage: "check" }),
    planJob({
      key: "unit",
      stage: "test",
      needs: [{ job: "lint", optional: false }],
      matrix: { combinations, source: null, maxParallel: null, failFast: false },
    }),
  ]);
}

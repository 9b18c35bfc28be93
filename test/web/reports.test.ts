/** Of the page of a run: what its jobs report; and the pages of tests. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { jobAtWork } from "../support/job-artifacts.ts";
import { reportFrom } from "../support/job-reports.ts";
import { insertRun } from "../security/access-matrix/places.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { startAsAda, stopAsAda } from "../support/web/start-as-ada.ts";
import type { Visitor } from "../support/web/visitor.ts";

describe("the reports of a run", () => {
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

  test("are shown as text and harmless Markdown; a test is looked at and put into quarantine", async () => {
    const run = await runInRows(server, person, { name: "code", plan: planOf([planJob({ key: "lint" })]) });
    const attempt = await run.begin("lint", ["work"]);
    await attempt.end("success");
    await run.setJob("lint", "success");
    const { db } = server.container.platform;
    const file = { message: "Add a", content: Buffer.from("1\n2\n3\n4\n").toString("base64") };
    await server.api("PUT", "/repos/ada/code/contents/a.ts", { token: person.token, body: file });
    const { json: commits } = await server.api("GET", "/repos/ada/code/commits", { token: person.token });
    await db.query("update pipelines set sha = $2 where id = $1", [run.id, commits[0].sha]);
    const row = await db.one<{ id: string }>("select repository_id as id from pipelines where id = $1", [
      run.id,
    ]);
    const job = await jobAtWork(server, { pipelineId: run.id, repositoryId: row?.id ?? "" });
    await reportFrom(server, job, [
      {
        kind: "summary",
        from: 0,
        content:
          "# All built\n<script>window.evil = 1</script><img src='https://x.invalid/y.png' onerror='window.evil=1'>",
      },
      { kind: "annotations", from: 0, content: "error file=a.ts line=3::<b>Odd</b>\nnonsense" },
      {
        kind: "junit",
        from: "a.xml",
        content:
          '<testsuite name="s"><testcase name="&lt;i>good"/><testcase name="bad"><failure message="no">at x</failure></testcase></testsuite>',
      },
    ]);
    await ada.goto(run.path);
    const { page } = ada;
    await page.getByRole("heading", { name: "All built" }).waitFor();
    await page.getByText("line 2: write it as JSON").waitFor();
    const annotations = page.getByRole("region", { name: "Annotations" });
    await annotations.getByText("<b>Odd</b>").waitFor();
    expect(await annotations.getByRole("link", { name: "a.ts:3" }).getAttribute("href")).toMatch(
      /\/blob\/[0-9a-f]{40}\/a\.ts#L3$/,
    );
    await annotations.getByRole("link", { name: "a.ts:3" }).click();
    await page.getByRole("note").getByText("<b>Odd</b>").waitFor();
    await lookAtPage(ada);
    await page.goBack();
    const tests = page.getByRole("region", { name: "Tests" });
    await tests.getByText("1 passed, 1 failed").waitFor();
    await tests.getByText("Details").click();
    await tests.getByText("at x").waitFor();
    await lookAtPage(ada);
    await tests.getByRole("button", { name: "All", exact: true }).click();
    await tests.getByText("s › <i>good").waitFor();
    expect(await page.evaluate("window.evil")).toBeUndefined();

    await tests.getByRole("link", { name: "s › bad" }).click();
    await page.getByRole("button", { name: "Quarantine" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("issue 12");
    await lookAtPage(ada);
    await dialog.getByRole("button", { name: "Quarantine" }).click();
    await page.getByText("Put into quarantine by ada").waitFor();
    await lookAtPage(ada);
    await page.getByRole("link", { name: "Tests", exact: true }).click();
    await page.getByRole("button", { name: "In quarantine" }).click();
    await page.getByRole("link", { name: "s › bad" }).waitFor();
    await lookAtPage(ada);
  });

  test("the coverage of runs is drawn, and stands in a table", async () => {
    const made = await server.api("POST", "/repos", { token: person.token, body: { name: "covered" } });
    const repositoryId = made.json.id as string;
    const { db } = server.container.platform;
    for (const [index, covered] of [5, 7, 8].entries()) {
      const pipelineId = await insertRun(server, {
        repositoryId,
        userId: person.id,
        number: index + 1,
        status: "success",
      });
      await db.query("update pipelines set ref = 'refs/heads/main' where id = $1", [pipelineId]);
      const job = await jobAtWork(server, { pipelineId, repositoryId });
      const lines = Array.from({ length: 10 }, (_, line) => `DA:${line + 1},${line < covered ? 1 : 0}`);
      const content = ["SF:a.ts", ...lines, "end_of_record"].join("\n");
      await reportFrom(server, job, [{ kind: "coverage", from: "lcov.info", content }]);
    }
    await ada.goto("/ada/covered/pipelines/coverage");
    await ada.page.getByRole("cell", { name: "80%" }).waitFor();
    await ada.page.locator(".recharts-area-curve").waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Badge", exact: true }).click();
    await ada.page.getByRole("img", { name: "coverage", exact: true }).waitFor();
  });
});

/** Of the page of a run: a stage that waits for people, for those who may approve and for others. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { approvalRule, reachGates } from "../support/approvals.ts";
import { holdForFork } from "../support/fork-merge-requests.ts";
import { insertDeployment } from "../support/deployments.ts";
import { insertRun, planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { startAsAda, stopAsAda } from "../support/web/start-as-ada.ts";
import type { Visitor } from "../support/web/visitor.ts";

describe("a run that waits for approval", () => {
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

  async function open(name: string, approvers: string[], more: Partial<PlanApproval> = {}) {
    const approval = approvalRule({ approvers, ...more, message: "Is the banner up?", count: 2 });
    const plan = planOf([planJob({ key: "ship", stage: "deploy" }), planJob({ key: "tell", approval })]);
    const stages = plan.stages.map((stage) => (stage.name === "deploy" ? { ...stage, approval } : stage));
    const run = await runInRows(server, person, { name, plan: { ...plan, stages } });
    await reachGates(server.container.pipelines.runs, run.id);
    await ada.goto(run.path);
    return ada.page.getByRole("region", { name: "Approval of stage deploy" });
  }

  test("is approved with one click and rejected with a comment, where the viewer may", async () => {
    const stage = await open("mine", ["ada", "ben"], { level: "maintain" });
    await stage.getByText("0 of 2 approved").waitFor();
    await stage.getByText("by ada, ben, anyone with Maintain").waitFor();
    await stage.getByText("Is the banner up?").waitFor();
    await ada.page.getByRole("button", { name: /^awaiting approval ship/ }).waitFor();
    await lookAtPage(ada);
    await ada.goto("/");
    await ada.page.getByRole("heading", { name: "Waiting for your approval" }).waitFor();
    expect(await ada.page.getByText("stage deploy, until").count()).toBe(1);
    await lookAtPage(ada);
    await ada.page.getByRole("link", { name: "ada/mine #1" }).first().click();
    await stage.getByRole("button", { name: "Approve stage deploy" }).click();
    await stage.getByText("1 of 2 approved").waitFor();
    await stage.getByRole("listitem").getByText("ada").waitFor();
    const job = ada.page.getByRole("region", { name: "Approval of job tell" });
    await job.getByLabel("Comment").fill("Not today.");
    await job.getByRole("button", { name: "Reject job tell" }).click();
    await job.getByText("Not today.").waitFor();
    await job.getByRole("button").first().waitFor({ state: "detached" });
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Timeline" }).click();
    await lookAtPage(ada);
    await ada.goto("/");
    await ada.page.getByRole("link", { name: "ada/mine", exact: true }).waitFor();
    expect(await ada.page.getByText("Waiting for your approval").count()).toBe(0);
  });

  test("warns of what a newer run has deployed meanwhile", async () => {
    const { db } = server.container.platform;
    const environment = { name: "live", url: null };
    const plan = planOf([planJob({ key: "ship", environment, approval: approvalRule() })]);
    const run = await runInRows(server, person, { name: "overtaken", plan });
    await reachGates(server.container.pipelines.runs, run.id);
    const repository = await db.one<{ id: string }>("select id from repositories where name = 'overtaken'");
    const next = await insertRun(
      db,
      { id: repository?.id ?? "", userId: person.id, owner: "ada", name: "overtaken" },
      plan,
      { sha: "c".repeat(40) },
    );
    await insertDeployment(db, { pipelineId: next.id, environment: "live" });
    await ada.goto(run.path);
    const warning = ada.page.getByRole("status").filter({ hasText: "A newer run (#2, commit cccccccc)" });
    await warning.getByText("this one would replace it by an older one.").waitFor();
    await lookAtPage(ada);
    await warning.getByRole("link", { name: "#2" }).click();
    await ada.page.waitForURL("**/ada/overtaken/pipelines/2");
  });

  test("asks about a commit from a fork, and trusts its author with it", async () => {
    const { db } = server.container.platform;
    const run = await runInRows(server, person, { name: "forked", plan: planOf([planJob({ key: "unit" })]) });
    // Heads of merge requests are whole ids.
    await db.query("update pipelines set sha = $2 where id = $1", [run.id, "d".repeat(40)]);
    await holdForFork(server, run.id, { number: 12, author: "ada" });
    await ada.goto("/");
    await ada.page.getByText("commit of !12, from a fork by ada").waitFor();
    await ada.goto(run.path);
    const asked = ada.page.getByRole("region", { name: "Changes from a fork" });
    await asked.getByText("by ada, commit dddddddd").waitFor();
    expect(await ada.page.getByRole("link", { name: "Merge request !12" }).getAttribute("href")).toBe(
      "/ada/forked/merge-requests/12",
    );
    await lookAtPage(ada);
    await asked.getByRole("button", { name: "Approve, and trust ada for 90 days" }).click();
    await asked.getByText("approved", { exact: true }).first().waitFor();
    await asked.getByRole("button").first().waitFor({ state: "detached" });
    await ada.goto("/ada/forked/settings/trusted-authors");
    await ada.page.getByRole("cell", { name: "ada", exact: true }).first().waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Remove ada" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await ada.page.getByText("Nobody is trusted").waitFor();
  });

  test("shows others who may, without buttons", async () => {
    const stage = await open("theirs", ["ben"]);
    await stage.getByText("by ben").waitFor();
    expect(await stage.getByRole("button").count()).toBe(0);
    await lookAtPage(ada);
  });
});

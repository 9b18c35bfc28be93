/** The page of caches and what the page of a run says of them: who uses what, deleted once that is confirmed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { endJob, jobAtWork } from "../support/job-artifacts.ts";
import { askCaches, bringCache, planCache } from "../support/job-caches.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { startAsAda, stopAsAda } from "../support/web/start-as-ada.ts";
import type { Visitor } from "../support/web/visitor.ts";

describe("caches", () => {
  let server: ApiServer;
  let browser: Browser;
  let ada: Visitor;
  let person: TestPerson;

  beforeAll(async () => {
    ({ server, browser, person, ada } = await startAsAda());
  });
  afterAll(async () => {
    await stopAsAda({ browser, server });
  });

  test("are shown with the jobs that use them, and deleted one by one and all together", async () => {
    const run = await runInRows(server, person, { name: "code", plan: planOf([planJob({ key: "lint" })]) });
    const attempt = await run.begin("lint", ["work"]);
    await attempt.end("success");
    await run.setJob("lint", "success");
    const { db } = server.container.platform;
    const row = await db.one<{ id: string }>("select repository_id as id from pipelines where id = $1", [
      run.id,
    ]);
    const at = { pipelineId: run.id, repositoryId: row?.id ?? "" };
    const cache = [planCache("k"), planCache("k")];
    const saving = await jobAtWork(server, { ...at, cache });
    await bringCache(server, saving, { key: "npm-<i>1</i>", bytes: Buffer.from("12345") });
    await bringCache(server, saving, { key: "go-1", bytes: Buffer.from("1"), position: 1 });
    await endJob(server, saving, []);
    const using = await jobAtWork(server, { ...at, key: "test", cache });
    const wanted = { position: 0, key: "npm-2", restore: ["npm-"] };
    expect((await askCaches(server, using.token, "POST", "/lookup", wanted)).status).toBe(200);
    await endJob(server, using, []);

    await ada.goto(run.path);
    const section = ada.page.getByRole("region", { name: "Caches" });
    await section.getByRole("row", { name: "build npm-<i>1</i> nothing 5 B" }).waitFor();
    await section.getByRole("row", { name: "test npm-2 npm-<i>1</i> (5 B) nothing" }).waitFor();
    await lookAtPage(ada);

    await ada.goto("/ada/code/pipelines");
    await ada.page.getByRole("button", { name: "More about pipelines" }).click();
    await ada.page.getByRole("menuitem", { name: "Caches" }).click();
    await ada.page.getByRole("heading", { name: "Caches", level: 1 }).waitFor();
    const used = ada.page.getByRole("row", { name: /^npm-<i>1<\/i> branch main 5 B .* #1 build #1 test/ });
    await used.waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "Delete go-1" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await ada.page.getByText("The cache was deleted.").waitFor();
    await ada.page.getByRole("button", { name: "Delete all" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click();
    await ada.page.getByText("No caches").waitFor();
    await lookAtPage(ada);
  });
});

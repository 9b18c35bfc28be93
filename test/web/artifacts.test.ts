/** Of the page of a run: what its jobs left behind, looked into, downloaded and deleted. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { bringArtifact, endJob, jobAtWork, planArtifact, zipOf } from "../support/job-artifacts.ts";
import { planJob, planOf } from "../support/runs.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { runInRows } from "../support/web/run-in-rows.ts";
import { startAsAda, stopAsAda } from "../support/web/start-as-ada.ts";
import type { Visitor } from "../support/web/visitor.ts";

describe("the artifacts of a run", () => {
  let server: ApiServer;
  let browser: Browser;
  let person: TestPerson;
  let ada: Visitor;
  const files = { "dist/app.js": "one\n", "dist/<i>evil</i>.html": "<script>alert(1)</script>" };

  beforeAll(async () => {
    ({ server, browser, person, ada } = await startAsAda());
  });
  afterAll(async () => {
    await stopAsAda({ browser, server });
  });

  test("are listed with their files, downloaded, and deleted once that is confirmed", async () => {
    const run = await runInRows(server, person, { name: "code", plan: planOf([planJob({ key: "lint" })]) });
    const attempt = await run.begin("lint", ["work"]);
    await attempt.end("success");
    await run.setJob("lint", "success");
    const { db } = server.container.platform;
    const row = await db.one<{ id: string }>("select repository_id as id from pipelines where id = $1", [
      run.id,
    ]);
    const job = await jobAtWork(server, {
      pipelineId: run.id,
      repositoryId: row?.id ?? "",
      artifacts: [planArtifact("dist")],
    });
    const id = await bringArtifact(server, job, { name: "dist", files });
    await endJob(server, job, [id]);
    await ada.goto(run.path);
    const section = ada.page.getByRole("region", { name: "Artifacts" });
    await section.getByRole("row", { name: /^dist build 2/ }).waitFor();
    await lookAtPage(ada);
    const middles = await Promise.all(
      [
        section.getByRole("link", { name: /^Download/ }),
        section.getByRole("button", { name: /^Browse/ }),
      ].map(async (action) => {
        const { y = 0, height = 0 } = (await action.boundingBox()) ?? {};
        return y + height / 2;
      }),
    );
    expect(middles[0]).toBeCloseTo(middles[1] ?? 0, 0);

    const saved = ada.page.waitForEvent("download");
    await section.getByRole("link", { name: "Download dist (build) as a ZIP file" }).click();
    const zip = await saved;
    expect(zip.suggestedFilename()).toBe("dist.zip");
    expect((await readFile(await zip.path())).equals(zipOf(files))).toBe(true);

    await section.getByRole("button", { name: "Browse dist (build)" }).click();
    const dialog = ada.page.getByRole("dialog");
    await dialog.getByText("dist/<i>evil</i>.html").waitFor();
    await lookAtPage(ada);
    const one = ada.page.waitForEvent("download");
    await dialog.getByRole("link", { name: "dist/app.js" }).click();
    expect(await readFile(await (await one).path(), "utf8")).toBe("one\n");
    await ada.page.keyboard.press("Escape");

    await section.getByRole("button", { name: "Delete dist (build)" }).click();
    await dialog.getByText("Jobs that still need them will fail.").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await section.waitFor({ state: "detached" });
  });
});

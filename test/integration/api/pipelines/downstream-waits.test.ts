/** Jobs that start a pipeline which waits for people or for a slot, over REST and with the real workflow. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { startChildBed, type ChildBed } from "../../../support/child-bed.ts";
import { eventually } from "../../../support/eventually.ts";

vi.setConfig({ testTimeout: 120_000 });
let bed: ChildBed;
let at: string;
beforeAll(async () => {
  bed = await startChildBed();
  ({ at } = await bed.repository());
  await bed.write(at, ".forgeline.yml", null);
});
afterAll(() => bed?.close());

/** `main` starts `middle`, which starts `lowest`. */
async function begin(ship: string, lowest: string): Promise<Pipeline> {
  const defaults = "defaults: { image: busybox }";
  await bed.write(at, ".forgeline/lowest.yml", `on: [pipeline]\n${defaults}\njobs: { main: ${lowest} }\n`);
  const middle = "on: [pipeline]\njobs: { inner: { trigger: { pipeline: lowest } } }\n";
  await bed.write(at, ".forgeline/middle.yml", middle);
  await bed.write(
    at,
    ".forgeline/main.yml",
    `on: [api]\njobs: { ship: { trigger: { pipeline: middle }, ${ship} } }\n`,
  );
  return bed.start(at, { pipeline: "main" });
}

async function below(id: string): Promise<{ id: string; number: number }[]> {
  const [middle] = await bed.children(at, id, 1);
  const [lowest] = await bed.children(at, middle?.id ?? "", 1);
  if (!middle || !lowest) throw new Error("the runs are not there");
  return [middle, lowest];
}

async function told(id: string) {
  const job = (await bed.read(at, id)).stages[0]?.jobs[0];
  return [job?.status, job?.reason, job?.message];
}

test("does not count the time in which the other run waits for people, and says what that waits for", async () => {
  const run = await begin("timeout: 5s", "{ approval: { approvers: [ada] }, steps: ['true'] }");
  const [middle, lowest] = await below(run.id);
  const text = `The pipeline that it started, #${middle?.number}: The pipeline that it started, #${lowest?.number}: Waits for approval by ada.`;
  const waits = ["running", "child_waits", text];
  const says = (expected: unknown[]) =>
    eventually(async () => {
      expect(await told(run.id)).toEqual(expected);
      return true;
    });
  await says(waits);
  const since = Date.now();
  await eventually(() => Promise.resolve(Date.now() - since > 6_000), { timeoutMs: 10_000 });
  expect(await told(run.id)).toEqual(waits);
  const approved = { job: "main", decision: "approve" };
  await bed.send("POST", `${at}/pipelines/${lowest?.id}/approvals`, approved);
  await says(["running", null, null]);
  await bed.runner(lowest?.id ?? "").run("main");
  await bed.ends(at, run.id, "success");
});

test("ends where the other run waits for a slot that the job itself holds", async () => {
  const run = await begin("concurrency: place", "{ concurrency: place, steps: ['true'] }");
  const [, lowest] = await below(run.id);
  expect((await bed.ends(at, lowest?.id ?? "", "error")).reason).toBe("concurrency_deadlock");
  await bed.ends(at, run.id, "failed");
});

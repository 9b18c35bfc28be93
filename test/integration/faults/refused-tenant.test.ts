/** One tenant's runs, which the database refuses for good, through the API: they end, and nobody else waits for them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import { refuseAttempts } from "../../support/refused-attempts.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
});
afterAll(() => instance?.stop());

/** More than the worker has places for decisions, and for activities. */
const many = 60;
const file = "jobs:\n  build:\n    image: busybox\n    steps: ['true']\n";

interface Run {
  number: number;
  status: string;
  reason: string | null;
}
const pipelines = (name: string) => `/repos/${instance.adminName}/${name}/pipelines`;
const view = (name: string, number: number) => instance.api<Run>("GET", `${pipelines(name)}/${number}`);
const runIs = (name: string, number: number, status: string) =>
  eventually(async () => (await view(name, number)).status === status, { timeoutMs: 20_000 });

/** Its file makes the first run. */
async function repositoryWithRun(name: string): Promise<{ id: string }> {
  const repository = await instance.api<{ id: string }>("POST", "/repos", { name });
  const content = Buffer.from(file).toString("base64");
  const path = `/repos/${instance.adminName}/${name}/contents/.forgeline.yml`;
  await instance.api("PUT", path, { message: "Build", content, branch: "main" });
  return repository;
}

it("keep no other repository's run from being queued", { timeout: 120_000 }, async () => {
  const bad = await repositoryWithRun("bad");
  await runIs("bad", 1, "queued");
  const refusal = await refuseAttempts(instance.database.ownerUrl, bad.id, "54000");
  const made: number[] = [];
  for (let i = 0; i < many; i += 1)
    made.push((await instance.api<Run>("POST", pipelines("bad"), { ref: "main" })).number);
  await repositoryWithRun("other");
  await runIs("other", 1, "queued");
  for (const number of made) {
    await runIs("bad", number, "error");
    expect((await view("bad", number)).reason).toMatch(/^internal:/);
  }
  const last = `${pipelines("bad")}/${made.at(-1)}`;
  await expect(instance.api("POST", `${last}/cancel`)).rejects.toThrow("The run is over: error.");
  await refusal.lift();
  await instance.api("POST", `${last}/rerun`, { from: "all" });
  await runIs("bad", made.at(-1) ?? 0, "queued");
  await instance.api("POST", `${last}/cancel`);
  await runIs("bad", made.at(-1) ?? 0, "cancelled");
});

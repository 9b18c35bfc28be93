/**
 * Turns in the queue as users meet them: one repository floods it, and the single job of another starts next. The test plays the
 * workflow, which has no say in who goes first.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { ProtocolRunner } from "../../../support/protocol-runner.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let root: TestPerson;
let runner: ProtocolRunner | undefined;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_MAX_PRIORITY: "50" } });
  [ada, bob, root] = [
    await server.person("ada"),
    await server.person("bob"),
    await server.person("root", { isAdmin: true }),
  ];
});
afterAll(async () => {
  runner?.vanish();
  await server?.stop();
});

interface ShownJob {
  id: string;
  key: string;
  status: string;
  message: string | null;
  attempts: {
    priority: number;
    queue: { position: number | null } | null;
    message: string | null;
    steps: { name: string }[];
  }[];
}

/** A run of the file in a repository of its own, whose jobs all want to start. */
async function start(person: TestPerson, name: string, file: string) {
  const send = (method: string, path: string, body?: object) =>
    server.api(method, path, { token: person.token, ...(body && { body }) });
  await send("POST", "/repos", { name });
  const content = Buffer.from(file).toString("base64");
  const kept = await send("PUT", `/repos/${person.username}/${name}/contents/.forgeline.yml`, {
    message: "pipeline",
    content,
    branch: "main",
  });
  expect([kept.status, kept.text]).toEqual([200, kept.text]);
  const created = await send("POST", `/repos/${person.username}/${name}/pipelines`, { ref: "main" });
  expect([created.status, created.text]).toEqual([201, created.text]);
  const { id, number } = created.json as { id: string; number: number };
  const { platform, pipelines } = server.container;
  await pipelines.runs.loadRun({ pipelineId: id, sequence: 1 });
  const jobs = await platform.db.query<{ id: string }>(
    "select id from jobs where pipeline_id = $1 order by position, combination",
    [id],
  );
  const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
  await pipelines.runs.startJobs({
    pipelineId: id,
    sequence: 1,
    settled: [],
    jobs: jobs.map((job) => ({ jobId: job.id, attempt: 1, retry: false, ...met })),
  });
  const path = `/repos/${person.username}/${name}/pipelines/${number}`;
  return {
    id,
    jobs: async () => (await send("GET", `${path}/jobs`)).json as ShownJob[],
  };
}

test("a repository floods the queue with 200 jobs, and the single job of another starts next", async () => {
  const values = Array.from({ length: 196 }, (_, n) => `"${n}"`).join(", ");
  const flood = await start(
    ada,
    "flood",
    [
      "defaults: { image: busybox }",
      "jobs:",
      '  urgent: { priority: 100, steps: ["true"] }',
      '  soon: { priority: 1, steps: ["true"] }',
      '  capped: { priority: "${{ branch == \'main\' && 5 || 99 }}", steps: ["true"] }',
      '  late: { priority: -1, steps: ["true"] }',
      `  many: { matrix: { n: [${values}] }, steps: ["true"] }`,
    ].join("\n"),
  );
  const token = await server.api("POST", "/runners/registration-tokens", { token: root.token, body: {} });
  const { credential, connect_url: url } = (
    await server.api("POST", "/runners/register", {
      body: { token: token.json.token, name: "only", labels: ["docker"], capacity: 1 },
    })
  ).json as { credential: string; connect_url: string };
  runner = new ProtocolRunner({ url, ca: server.ca, credential, capacity: 1 });
  await runner.hello();
  const first = await runner.acceptNext();
  const shown = await flood.jobs();
  const named = (key: string) => shown.find((job) => job.key === key);
  expect(shown.find((job) => job.id === first.jobId)?.key).toBe("urgent");
  // It asks for more than this instance gives.
  expect(named("urgent")?.attempts).toMatchObject([{ priority: 50, queue: null }]);
  expect(named("soon")?.attempts).toMatchObject([{ priority: 1, queue: { position: 2 } }]);
  expect(named("soon")?.message).toBe(
    "Waits for a runner: all matching runners are busy. It is 2nd in the queue of this repository.",
  );
  expect(named("capped")?.attempts).toMatchObject([{ priority: 5, queue: { position: 1 } }]);
  expect(named("late")?.attempts).toMatchObject([{ priority: -1, queue: { position: null } }]);
  expect(named("late")?.message).toContain("More than 100 jobs of this repository are before it.");

  const name = "on ${{ branch }} with ${{ steps.x.outputs.y }}";
  const titled = `image: busybox\nsteps: [{ id: x, run: "true" }, { run: "true", name: "${name}" }]\n`;
  const single = await start(bob, "single", titled);
  // What is known is filled in before a runner says more, which it never does for a step that is skipped.
  expect((await single.jobs())[0]?.attempts[0]?.steps[1]?.name).toBe("on main with ${{ steps.x.outputs.y }}");
  expect((await single.jobs())[0]?.attempts).toMatchObject([{ queue: { position: 1 } }]);
  await runner.runTrivially(first);
  const second = await runner.acceptNext();
  expect(second.jobId).toBe((await single.jobs())[0]?.id);
  await runner.runTrivially(second);
  const third = await runner.acceptNext();
  expect(third.jobId).toBe(named("capped")?.id);
  await eventually(async () => (await single.jobs())[0]?.attempts[0]?.queue === null);
});

/** How long the answer about a run may be, and what PostgreSQL reads for it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRun } from "@forgeline/server/domains/pipelines/runs/runs.store.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { planJob, planOf } from "../../../support/runs.ts";
import { runInRows } from "../../../support/web/run-in-rows.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
});
afterAll(() => server?.stop());

/** A run whose jobs end with these; its answers are those of `/repos/ada/NAME/pipelines/1…`. */
async function ran(name: string, ends: { outputs: Record<string, string>; warnings?: string[] }[]) {
  const { db } = server.container.platform;
  const jobs = ends.map((_, n) => planJob({ key: `j${n}` }));
  const run = await runInRows(server, ada, { name, plan: planOf(jobs) });
  for (const [n, { outputs, warnings = [] }] of ends.entries()) {
    const attempt = await run.begin(`j${n}`, ["one"]);
    await attempt.end("success");
    await db.query("update jobs set outputs = $3 where pipeline_id = $1 and key = $2", [
      run.id,
      `j${n}`,
      JSON.stringify(outputs),
    ]);
    await db.query(
      "update job_attempts a set warnings = $3 from jobs j where j.id = a.job_id and a.pipeline_id = $1 and j.key = $2",
      [run.id, `j${n}`, warnings],
    );
  }
  return (rest = "", token = ada.token) =>
    server.api("GET", `/repos/ada/${name}/pipelines/1${rest}`, { token });
}

/** Pieces of long values of jobs that reading the run takes. */
async function piecesRead(name: string): Promise<number> {
  return server.container.platform.db.transaction(async (tx) => {
    const run = await tx.one<{ id: string }>(
      "select p.id from pipelines p join repositories r on r.id = p.repository_id where r.name = $1",
      [name],
    );
    await readRun(tx, run?.id ?? "");
    // Of this transaction alone.
    const row = await tx.one<{ n: number }>(
      `select idx_tup_fetch as n from pg_stat_xact_all_tables
       where relid = (select reltoastrelid from pg_class where oid = 'jobs'::regclass)`,
    );
    return row?.n ?? 0;
  });
}

it("outputs that are long are no part of it, and are not read; a job alone has them", async () => {
  // Not to be compressed, so that PostgreSQL keeps them elsewhere.
  const long = Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 36).toString(36)).join("");
  const short = { version: "1.2", also: "x".repeat(1_900) };
  const ends = [
    { outputs: short },
    ...Array.from({ length: 20 }, () => ({ outputs: { long } })),
    // Little in the table, and yet long.
    { outputs: { even: "x".repeat(100_000) } },
  ];
  const get = await ran("outputs", ends);
  for (const rest of ["", "/jobs"]) {
    const answer = await get(rest);
    expect(answer.text.length).toBeLessThan(60_000);
    const jobs = (rest === "" ? answer.json.stages[0].jobs : answer.json) as object[];
    expect(jobs[0]).toMatchObject({ outputs: short, outputs_omitted: false });
    for (const job of jobs.slice(1)) expect(job).toMatchObject({ outputs: {}, outputs_omitted: true });
  }
  expect(await piecesRead("outputs")).toBe(0);

  const { id } = (await get()).json.stages[0].jobs[1];
  const alone = await get(`/jobs/${id}`);
  expect(alone.json).toMatchObject({ id, key: "j1", outputs: { long }, outputs_omitted: false });
  expect(alone.json.attempts).toMatchObject([{ attempt: 1, steps: [{ name: "one" }] }]);
});

it("of many warnings it has the first; a job alone has all, and is of its own run only", async () => {
  const warnings = Array.from({ length: 12 }, (_, n) => `warning ${n}`);
  const get = await ran("warnings", [
    { outputs: {}, warnings },
    { outputs: {}, warnings: ["one"] },
  ]);
  const [many, one] = (await get("/jobs")).json as { id: string; attempts: object[] }[];
  expect(many?.attempts).toMatchObject([{ warnings: warnings.slice(0, 5), warnings_omitted: 7 }]);
  expect(one?.attempts).toMatchObject([{ warnings: ["one"], warnings_omitted: 0 }]);
  expect((await get(`/jobs/${many?.id}`)).json.attempts).toMatchObject([{ warnings, warnings_omitted: 0 }]);

  const other = await ran("elsewhere", [{ outputs: {} }]);
  expect((await other(`/jobs/${many?.id}`)).status).toBe(404);
  const bob = await server.person("bob");
  expect((await get(`/jobs/${many?.id}`, bob.token)).status).toBe(404);
});

it("changed paths and values of variables are not read into the server's answers", async () => {
  const get = await ran("event", [{ outputs: {} }]);
  await server.container.platform.db.query(
    `update pipelines p set variables = '{"COLOUR":"green-value"}', event = p.event || '{"changedPaths":["a/b"]}'
     from repositories r where r.id = p.repository_id and r.name = 'event'`,
  );
  const { json, text } = await get();
  expect(json).toMatchObject({
    variables: ["COLOUR"],
    commit: { message: "test", author: "Ada <ada@example.org>" },
  });
  expect(text).not.toContain("green-value");
});

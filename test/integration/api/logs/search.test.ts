/** Searches of logs over REST: one run, the last runs of a repository, limits and cursors, the first error, and who may search. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogMatch } from "@forgeline/schemas/logs/search.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { eventually } from "../../../support/eventually.ts";
import { endOf, frameOf } from "../../../support/log-frames.ts";
import { openStreams } from "../../logs/fixture.ts";
import { logApi, type LogApi } from "./fixture.ts";

let api: LogApi;
let repository: string;
beforeAll(async () => {
  api = await logApi("private", { env: { FORGELINE_LIMIT_SEARCH: "1000" } });
  repository = api.path.split("/").slice(0, 4).join("/");
});
afterAll(() => api.server.stop());

const get = (path: string, token = api.owner.token) => api.server.api("GET", path, { token });
const inRun = (query: string) => get(`${api.path}/logs/search?${query}`);
const inRepository = (query: string) => get(`${repository}/logs/search?${query}`);
const placesOf = (matches: LogMatch[]) => matches.map((match) => [match.step, match.number, match.text]);

describe("while the run goes on", () => {
  it("finds words in the logs of all steps, without regard to case and colours", async () => {
    const { status, json } = await inRun("q=RED%20%3Cb");
    expect(status).toBe(200);
    expect(json).toMatchObject({ stopped_by: null, next_cursor: null });
    expect(json.searched_bytes).toBe(api.setup.length + api.step.length);
    expect(json.matches).toHaveLength(1);
    expect(json.matches[0]).toMatchObject({
      pipeline_id: api.run.pipelineId,
      pipeline_number: 1,
      stage: "main",
      job: "build",
      job_label: "build",
      job_id: api.run.jobId,
      attempt: 1,
      step: "compile",
      stream_id: api.stepStream,
      number: 1,
      offset: 0,
      text: "red <b>&\u0007",
      is_cut: false,
      ranges: [{ start: 0, end: 6 }],
    });
    expect(new URL(json.matches[0].web_url).hash).toBe("#build@1:0:1");
    expect(new URL(json.matches[0].web_url).pathname).toBe(
      `${repository.slice("/repos".length)}/pipelines/1`,
    );
  });

  it("goes on with a cursor until all is found, each line once", async () => {
    const found: LogMatch[] = [];
    let cursor = "";
    for (let page = 0; page < 20; page += 1) {
      const { json } = await inRun(`q=line%20299&limit=3${cursor}`);
      expect(json.matches.length).toBeLessThanOrEqual(3);
      found.push(...json.matches);
      if (json.next_cursor === null) break;
      expect(json.stopped_by).toBe("matches");
      cursor = `&cursor=${json.next_cursor}`;
    }
    const numbers = [299, ...Array.from({ length: 10 }, (_, n) => 2990 + n)];
    expect(placesOf(found)).toEqual(numbers.map((n) => ["compile", n, `line ${n}`]));
    // As the log itself says.
    const line = await get(`${api.path}/logs?step=compile&offset=${found[5]?.offset}&limit=1`);
    expect(line.json.lines[0]).toMatchObject({ number: found[5]?.number, text: found[5]?.text });
  });

  it("looks at a line when it has ended, and only at what is asked for", async () => {
    expect((await inRun("q=without%20end")).json.matches).toEqual([]);
    expect(placesOf((await inRun("q=ready&step=setup")).json.matches)).toEqual([["setup", 2, "ready"]]);
    expect((await inRun("q=ready&step=compile")).json.matches).toEqual([]);
    expect((await inRun("q=ready&job=other")).json.matches).toEqual([]);
  });

  it("refuses what is no search, by the name of the field", async () => {
    for (const [query, field] of [
      ["", "q"],
      ["q=", "q"],
      ["q=a%0Ab", "q"],
      [`q=${"x".repeat(201)}`, "q"],
      ["q=a&limit=501", "limit"],
      ["q=a&cursor=1:2", "cursor"],
    ] as const) {
      const { status, json } = await inRun(query);
      expect([query, status, json.errors[0].field]).toEqual([query, 400, field]);
    }
    expect((await inRepository("q=a&runs=101")).json.errors[0].field).toBe("runs");
    const stale = `1:${newId("log")}:0`;
    for (const answer of [await inRun(`q=a&cursor=${stale}`), await inRepository(`q=a&cursor=${stale}`)])
      expect([answer.status, answer.json.message]).toEqual([
        400,
        "The cursor belongs to a log that is not, or no longer, searched. Start without a cursor.",
      ]);
  });

  it("shows nothing to those who may not read the logs", async () => {
    const { stranger, server, owner } = api;
    const other = await server.tokenFor(owner, ["repo:read"]);
    for (const path of [
      `${api.path}/logs/search?q=a`,
      `${repository}/logs/search?q=a`,
      `${api.path}/logs/first-error`,
    ]) {
      expect([path, (await get(path, stranger.token)).status]).toEqual([path, 404]);
      expect([path, (await server.api("GET", path)).status]).toEqual([path, 404]);
      expect([path, (await get(path, other)).status]).toEqual([path, 403]);
    }
    expect((await get(`${repository}/pipelines/99/logs/search?q=a`)).status).toBe(404);
  });

  it("counts as a search", async () => {
    const answer = await inRun("q=ready");
    expect(answer.headers["x-ratelimit-resource"]).toBe("search");
  });

  it("has no first error where nothing failed", async () => {
    const { status, json } = await get(`${api.path}/logs/first-error`);
    expect([status, json]).toEqual([200, { line: null, found_by: null }]);
  });
});

describe("when logs have ended and lie in objects", () => {
  beforeAll(async () => {
    await api.finish();
    await eventually(async () => (await countChunks()) === 0);
  });

  const countChunks = async () => {
    const { db } = api.server.container.platform;
    return (await db.one<{ n: number }>("select count(*)::int as n from log_chunks"))?.n;
  };

  it("finds the last line too, and the same as before", async () => {
    expect(placesOf((await inRun("q=without%20end")).json.matches)).toEqual([
      ["compile", 3003, "without end"],
    ]);
    const first = await inRun("q=line%2029&limit=40");
    const second = await inRun(`q=line%2029&limit=500&cursor=${first.json.next_cursor}`);
    const numbers = [...first.json.matches, ...second.json.matches].map((match: LogMatch) => match.number);
    expect(numbers).toEqual([29, ...range(290, 299), ...range(2900, 2999)]);
  });

  it("searches the last runs, newest first, and goes on in them while new ones come", async () => {
    for (const number of [2, 3, 4]) await addRun(number, `needle ${number}\nneedle again\n`);
    const first = await inRepository("q=needle&runs=2&limit=3");
    expect(first.json.matches.map((match: LogMatch) => [match.pipeline_number, match.number])).toEqual([
      [4, 1],
      [4, 2],
      [3, 1],
    ]);
    await addRun(5, "needle 5\n");
    const second = await inRepository(`q=needle&runs=2&limit=3&cursor=${first.json.next_cursor}`);
    expect(second.json.matches.map((match: LogMatch) => [match.pipeline_number, match.number])).toEqual([
      [3, 2],
    ]);
    expect(second.json.next_cursor).toBeNull();
    const all = await inRepository("q=needle");
    expect(all.json.matches).toHaveLength(7);
    expect((await inRepository("q=needle&ref=other")).json.matches).toEqual([]);
    expect(
      (await inRepository("q=needle&ref=main&pipeline=.forgeline.yml&runs=1")).json.matches,
    ).toHaveLength(1);
  });

  it("tells the first line that looks like an error, else the last one", async () => {
    await addRun(6, "fine\n\u001b[31merror\u001b[0m: broken\nerror: later\n", "failed");
    const error = await get(`${repository}/pipelines/6/logs/first-error`);
    expect(error.json).toMatchObject({
      found_by: "error",
      line: { number: 2, text: "error: broken", step: "compile" },
    });
    await addRun(7, "fine\nthen it ended\n\n  \n", "failed");
    const last = await get(`${repository}/pipelines/7/logs/first-error`);
    expect(last.json).toMatchObject({ found_by: "last_line", line: { number: 2, text: "then it ended" } });
    expect((await get(`${repository}/pipelines/7/logs/first-error?job=other`)).json.line).toBeNull();
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** One more run of the repository, whose only step wrote `text`. */
async function addRun(number: number, text: string, status = "success"): Promise<void> {
  const { db } = api.server.container.platform;
  const { logs } = api.server.container.pipelines;
  const ids = {
    pipelineId: newId("pipe"),
    stageId: newId("stg"),
    jobId: newId("job"),
    attemptId: newId("att"),
  };
  await db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, status, finished_at)
     values ($1, $2, $3, '.forgeline.yml', 'push', 'refs/heads/main', 'abc', '{}', $4, now())`,
    [ids.pipelineId, api.run.repositoryId, number, status],
  );
  await db.query(
    "insert into stages (id, pipeline_id, position, name, status) values ($1, $2, 0, 'main', $3)",
    [ids.stageId, ids.pipelineId, status],
  );
  await db.query(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, status, attempts)
     values ($1, $2, $3, $4, 0, 'build', 'Build', $5, 1)`,
    [ids.jobId, ids.pipelineId, ids.stageId, api.run.repositoryId, status],
  );
  await db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, status, labels, job, finished_at)
     values ($1, $2, $3, $4, 1, 'leased', $5, '{}', '{}', now())`,
    [ids.attemptId, ids.jobId, ids.pipelineId, api.run.repositoryId, status],
  );
  await db.query(
    `insert into steps (id, attempt_id, pipeline_id, position, name, status, finished_at)
     values ($1, $2, $3, 0, 'compile', $4, now())`,
    [newId("step"), ids.attemptId, ids.pipelineId, status],
  );
  const [setup, step] = await openStreams({ logs, db }, { ...api.run, ...ids });
  const bytes = Buffer.from(text);
  if (!setup || !step) throw new Error("no streams");
  await logs.ingest.append(step.id, frameOf(bytes, 0, bytes.length));
  await logs.ingest.eof(setup.id, endOf(Buffer.alloc(0)));
  await logs.ingest.eof(step.id, endOf(bytes));
}

/** Traces of runs, read by a foreign reader: from the run to its steps, with links, once more after a failure, and never twice another. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spanIdOf, traceIdOf } from "@forgeline/server/domains/pipelines/runs/trace-ids.ts";
import { recordRunEvents } from "@forgeline/server/domains/pipelines/runs/run-events.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { endRun } from "../../../support/ended-runs.ts";
import { eventually } from "../../../support/eventually.ts";
import { base64, otlpDecoder, type DecodedSpan } from "../../../support/otlp/decode.ts";

let endpoint: Server;
let server: ApiServer;
let decode: (body: Buffer) => DecodedSpan[];
let repositoryId: string;
let token: string;
let following: Promise<unknown>;
const stopping = new AbortController();
const received: { path: string; authorization: string | undefined; spans: DecodedSpan[]; status: number }[] =
  [];
let answers: number[] = [];
/** Of the next answer: as OTLP tells of spans that were rejected. */
let body: Buffer | undefined;

beforeAll(async () => {
  decode = await otlpDecoder();
  endpoint = createServer((req, res) => {
    void buffer(req).then((sentBytes) => {
      const status = answers.shift() ?? 200;
      const { url: path = "", headers } = req;
      received.push({ path, authorization: headers.authorization, spans: decode(sentBytes), status });
      res.writeHead(status, { "content-type": "application/x-protobuf" }).end(body);
      body = undefined;
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  const { port } = endpoint.address() as AddressInfo;
  server = await startApiServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
    },
    periods: { webhookRetryMs: 1_000 },
  });
  ({ token } = await server.person("ada"));
  const made = await server.api("POST", "/repos", { token, body: { name: "app" } });
  repositoryId = made.json.id as string;
  const { followerRunner } = server.container.automation;
  following = Promise.all(
    (["runs", "webhooks"] as const).map((name) => followerRunner.run(name, stopping.signal)),
  );
});
afterAll(async () => {
  stopping.abort();
  await following;
  await server?.stop();
  endpoint?.close();
});

const attributesOf = (of: Pick<DecodedSpan, "attributes">) =>
  Object.fromEntries(of.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
/** Requests about a run in a sequence. */
const about = (id: string, sequence = 1) =>
  received.filter(({ spans }) => spans[0]?.traceId === base64(traceIdOf(id, sequence)));

async function sent(id: string, sequence = 1) {
  return eventually(async () => about(id, sequence).find(({ status }) => status === 200), {
    timeoutMs: 30_000,
  });
}

const jobs = [
  {
    key: "unit",
    status: "failed",
    attempts: [
      { queued: 1, ran: 4, steps: { lint: 1, test: 3 } },
      { queued: 6, ran: 5, steps: { lint: 1, test: 4 } },
    ],
  },
];
const run = { status: "failed", seconds: 12, jobs };

test("a trace tells of the run, its stages, attempts and steps", async () => {
  const startedAt = new Date(Date.now() - 60_000);
  const id = await endRun(server, { ...run, repositoryId, number: 1, startedAt });
  const { path, authorization, spans } = await sent(id);
  expect([path, authorization]).toEqual(["/v1/traces", "Bearer abc"]);
  expect(spans.map(({ name }) => name)).toEqual([
    ".forgeline.yml",
    "main",
    "unit",
    "lint",
    "test",
    "unit",
    "lint",
    "test",
  ]);
  const [root, stage, first, lint, , second] = spans;
  expect(root).toMatchObject({
    spanId: base64(spanIdOf(id, 1)),
    status: { code: "STATUS_CODE_ERROR" },
    startTimeUnixNano: `${startedAt.getTime()}000000`,
    endTimeUnixNano: `${startedAt.getTime() + 12_000}000000`,
  });
  expect(root?.parentSpanId).toBeUndefined();
  expect(attributesOf(root as DecodedSpan)).toMatchObject({
    "cicd.pipeline.run.id": id,
    "cicd.pipeline.result": "failure",
    "forgeline.trigger": "push",
    "vcs.ref.head.name": "main",
    "forgeline.run.number": "1",
  });
  expect(stage?.parentSpanId).toBe(root?.spanId);
  expect([first?.parentSpanId, second?.parentSpanId]).toEqual([stage?.spanId, stage?.spanId]);
  expect(lint?.parentSpanId).toBe(first?.spanId);
  expect(attributesOf(second as DecodedSpan)).toMatchObject({
    "forgeline.job.attempt": "2",
    "forgeline.job.queue_ms": "6000",
    "cicd.pipeline.task.run.result": "failure",
  });
  await eventually(
    async () => (await server.container.platform.db.query("select from run_traces")).length === 0,
  );
});

test("a run begins no later than its first job", async () => {
  const startedAt = new Date(Date.now() - 60_000);
  const early = [{ key: "unit", attempts: [{ queued: -2, ran: 4 }] }];
  const id = await endRun(server, {
    ...run,
    jobs: early,
    status: "success",
    repositoryId,
    number: 10,
    startedAt,
  });
  const { spans } = await sent(id);
  expect(spans.map(({ startTimeUnixNano }) => startTimeUnixNano)).toEqual(
    Array.from({ length: 3 }, () => `${startedAt.getTime() - 2_000}000000`),
  );
});

test("what an endpoint could not take is sent again with the same ids; what it refuses is not", async () => {
  answers = [503];
  const id = await endRun(server, { ...run, repositoryId, number: 2, startedAt: new Date() });
  await sent(id);
  const [failed, again] = about(id);
  expect(failed?.status).toBe(503);
  expect(again?.spans.map(({ spanId }) => spanId)).toEqual(failed?.spans.map(({ spanId }) => spanId));
  answers = [400];
  const refused = await endRun(server, { ...run, repositoryId, number: 3, startedAt: new Date() });
  await eventually(async () => about(refused).length === 1, { timeoutMs: 30_000 });
  await eventually(async () => {
    const left = await server.container.platform.db.query("select from run_traces");
    return left.length === 0;
  });
  expect(about(refused)).toHaveLength(1);
});

test("spans that the endpoint rejected are counted as refused, and not sent again", async () => {
  const refused = async () =>
    /^forgeline_run_traces_total\{outcome="refused"\} (\d+)$/m.exec(
      await server.container.platform.metrics.metrics(),
    )?.[1];
  const before = Number((await refused()) ?? 0);
  // ExportTraceServiceResponse { partial_success { rejected_spans: 1, error_message: "no" } }
  body = Buffer.from("0a0608011202" + Buffer.from("no").toString("hex"), "hex");
  const id = await endRun(server, { ...run, repositoryId, number: 7, startedAt: new Date() });
  await eventually(async () => Number(await refused()) === before + 1, { timeoutMs: 30_000 });
  expect(about(id)).toHaveLength(1);
  // No answer of OTLP, whatever it calls itself: its status counts.
  body = Buffer.from("<p>Thank you");
  await sent(await endRun(server, { ...run, repositoryId, number: 8, startedAt: new Date() }));
  await eventually(
    async () => (await server.container.platform.db.query("select from run_traces")).length === 0,
  );
  expect(Number(await refused())).toBe(before + 1);
});

test("a run that a job has started and that job link to each other", async () => {
  const { db } = server.container.platform;
  const parent = await endRun(server, {
    ...run,
    repositoryId,
    number: 5,
    startedAt: new Date(Date.now() - 60_000),
    isUntold: true,
  });
  const [attempt] = await db.query<{ id: string; job_id: string }>(
    "select id, job_id from job_attempts where pipeline_id = $1 and attempt = 2",
    [parent],
  );
  if (!attempt) throw new Error("the run has no second attempt");
  const child = await endRun(server, {
    ...run,
    repositoryId,
    number: 6,
    startedAt: new Date(),
    startedBy: { pipelineId: parent, jobId: attempt.job_id, attemptId: attempt.id },
  });
  await db.transaction((tx) => recordRunEvents(tx, parent, ["finished"]));
  const [ofChild, ofParent] = [await sent(child), await sent(parent)];
  expect(ofChild.spans[0]?.links).toMatchObject([
    { traceId: base64(traceIdOf(parent, 1)), spanId: base64(spanIdOf(attempt.id)) },
  ]);
  const job = ofParent.spans.filter(({ links }) => links !== undefined);
  expect(job).toMatchObject([
    {
      spanId: base64(spanIdOf(attempt.id)),
      links: [{ traceId: base64(traceIdOf(child, 1)), spanId: base64(spanIdOf(child, 1)) }],
    },
  ]);
});

test("a rerun is a trace of its own, with a link to the one before", async () => {
  const id = await endRun(server, {
    ...run,
    repositoryId,
    number: 4,
    startedAt: new Date(Date.now() - 60_000),
  });
  await sent(id);
  const { db } = server.container.platform;
  await db.query(
    "insert into transitions (pipeline_id, node, node_id, old_status, new_status) values ($1, 'pipeline', $1, 'failed', 'running')",
    [id],
  );
  await db.query("update pipelines set sequence = 2, status = 'success', finished_at = now() where id = $1", [
    id,
  ]);
  await db.transaction((tx) => recordRunEvents(tx, id, ["finished"]));
  const { spans } = await sent(id, 2);
  expect(spans).toHaveLength(1);
  expect(spans[0]?.links).toMatchObject([
    { traceId: base64(traceIdOf(id, 1)), spanId: base64(spanIdOf(id, 1)) },
  ]);
});

test("a trace links to the deliveries that the run caused", async () => {
  const { json: hook } = await server.api("POST", "/repos/ada/app/webhooks", {
    token,
    body: { url: "https://hook.invalid/", events: ["pipeline"] },
  });
  answers = Array.from({ length: 100 }, () => 503);
  const id = await endRun(server, { ...run, repositoryId, number: 9, startedAt: new Date() });
  await eventually(
    async () => (await server.container.platform.db.query("select from webhook_deliveries")).length === 1,
    { timeoutMs: 30_000 },
  );
  answers = [];
  const { spans } = await sent(id);
  expect(spans[0]?.links?.map(attributesOf)).toMatchObject([
    {
      "forgeline.link": "webhook_delivery",
      "forgeline.webhook.id": hook.id,
      "forgeline.delivery.event": "pipeline.finished",
    },
  ]);
});

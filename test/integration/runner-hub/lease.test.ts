/** The life of a lease, from offer to result, as a well-behaved runner sees it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { success } from "../../support/protocol-runner.ts";
import { planStep } from "./queued-attempt.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;

beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
});
afterAll(() => hub.close());

test("a queued job is offered, leased, logged and recorded", async () => {
  const runner = hub.connect(server, await hub.runner());
  const welcome = await runner.hello();
  expect(welcome).toMatchObject({ protocol: 1, heartbeatMs: 10_000, leases: [] });

  const job = await hub.queue();
  const spec = await runner.acceptNext();
  expect(spec).toMatchObject({ attemptId: job.attemptId, epoch: 1, env: { TOP: "plain", MADE: "on main" } });
  expect(spec.ciEnv).toMatchObject({
    CI: "true",
    CI_JOB: "build",
    CI_BRANCH: "main",
    CI_JOB_TOKEN: spec.token,
  });
  expect(spec.ciEnv["CI_API_URL"]).toBe("https://host.docker.internal:1/api/v1");
  expect(spec.clone.url).toMatch(/^https:\/\/localhost:1\/ada\/.*\.git$/);
  expect(spec.token).toMatch(/^svc_job_/);
  expect(spec.streams.map((stream) => stream.kind)).toEqual(["setup", "step"]);

  const { attemptId, epoch } = spec;
  expect(await runner.ask({ t: "started", attemptId, epoch, timeMs: Date.now() })).toMatchObject({
    t: "ack",
  });
  const step = {
    t: "step_started",
    attemptId,
    epoch,
    position: 0,
    name: "step one",
    timeMs: Date.now(),
  } as const;
  expect(await runner.ask(step)).toMatchObject({ t: "ack" });
  expect(await hub.attempt(attemptId)).toMatchObject({ state: "leased", status: "running", begun: true });

  const channel = spec.streams[1]?.channel ?? 0;
  runner.log(channel, 0, "one\n");
  runner.log(channel, 4, "two\n", 2);
  await runner.take("log_ack", (ack) => ack.channel === channel && ack.nextOffset === 8);

  const early = await runner.done(spec);
  expect(early).toMatchObject({ t: "nack", code: "logs_missing" });
  const ids = spec.streams.map((stream) => stream.id);
  expect(early).toMatchObject({ missing: { [ids[0] ?? ""]: 0, [ids[1] ?? ""]: 8 } });

  await runner.endStreams(spec, { [channel]: "one\ntwo\n" });
  const ended = {
    position: 0,
    status: "success",
    reason: null,
    message: null,
    exitCode: 0,
    startedAtMs: Date.now() - 5,
    finishedAtMs: Date.now(),
  } as const;
  expect(await runner.ask({ t: "step_ended", attemptId, epoch, step: ended })).toMatchObject({ t: "ack" });
  expect(await runner.done(spec)).toMatchObject({ t: "ack" });
  expect(await hub.attempt(attemptId)).toMatchObject({
    state: "ended",
    status: "success",
    log_complete: true,
  });

  // The answer may have been lost: the same words again are taken as what they are.
  expect(await runner.done(spec)).toMatchObject({ t: "ack" });
  expect(await runner.ask({ t: "step_ended", attemptId, epoch, step: ended })).toMatchObject({ t: "ack" });
  const facts = await hub.db.query<{ kind: string }>(
    `select payload #>> '{fact,kind}' as kind from outbox where payload ->> 'pipelineId' = $1 order by id`,
    [job.pipelineId],
  );
  expect(facts.map((fact) => fact.kind)).toEqual(["started", "done"]);
  const steps = await hub.db.query(
    "select new_status from transitions where pipeline_id = $1 and node = 'step'",
    [job.pipelineId],
  );
  expect(steps).toEqual([{ new_status: "running" }, { new_status: "success" }]);
  runner.vanish();
});

test("a result whose log was closed with a part missing says so", async () => {
  const runner = hub.connect(server, await hub.runner());
  await runner.hello();
  const { attemptId } = await hub.queue();
  const spec = await runner.acceptNext();
  await runner.endStreams(spec);
  await hub.db.query("update log_streams set complete = false where attempt_id = $1 and kind = 'step'", [
    attemptId,
  ]);
  expect(await runner.done(spec)).toMatchObject({ t: "ack" });
  expect(await hub.attempt(attemptId)).toMatchObject({ status: "success", log_complete: false });
  runner.vanish();
});

test("times of a runner whose clock is wrong are the server's, and none is in the future", async () => {
  const clockErrorMs = -3 * 3_600_000;
  const runner = hub.connect(server, await hub.runner(), { labels: ["slow"], clockErrorMs });
  await runner.hello();
  const plan = [0, 1, 2].map((position) => planStep({ position }));
  await hub.queue({ labels: ["slow"], job: { steps: plan } });
  const spec = await runner.acceptNext();
  const lease = { attemptId: spec.attemptId, epoch: spec.epoch };
  const clock = () => Date.now() + clockErrorMs;
  await runner.ask({ t: "step_started", ...lease, position: 0, name: "one", timeMs: clock() });
  const jumped = clock() + 3_600_000;
  await runner.ask({ t: "step_started", ...lease, position: 1, name: "two", timeMs: jumped });
  await runner.endStreams(spec);
  const ended = { status: "success", reason: null, message: null, exitCode: 0 } as const;
  // The last one is heard of in the result only.
  const steps = [0, 1, 2].map((position) => ({
    position,
    ...ended,
    startedAtMs: clock(),
    finishedAtMs: clock(),
  }));
  expect(await runner.done(spec, { ...success, steps })).toMatchObject({ t: "ack" });
  const recent = (column: string) => `${column} between now() - interval '1 minute' and now()`;
  const rows = await hub.db.query(
    `select ${recent("started_at")} as started, ${recent("finished_at")} as finished
     from steps where attempt_id = $1 order by position`,
    [spec.attemptId],
  );
  expect(rows).toEqual(steps.map(() => ({ started: true, finished: true })));
  runner.vanish();
});

test("a heartbeat that overtakes the lease of an accepted offer does not take the lease away", async () => {
  const runner = hub.connect(server, await hub.runner());
  await runner.hello();
  const job = await hub.queue();
  const { attemptId, epoch } = await runner.take("offer", (offer) => offer.attemptId === job.attemptId);
  await hub.db.transaction(async (tx) => {
    await tx.query("select 1 from job_attempts where id = $1 for update", [attemptId]);
    runner.say({ t: "offer_answer", attemptId, epoch, accept: true, reject: null });
    runner.beat([{ attemptId, epoch }]);
    await runner.take("heartbeat_ack");
  });
  const { spec } = await runner.take("lease", (lease) => lease.spec.attemptId === attemptId);
  await runner.runTrivially(spec);
  expect(await hub.attempt(attemptId)).toMatchObject({ state: "ended", status: "success" });
  expect(runner.received.filter((message) => message.t === "revoke")).toEqual([]);
  runner.vanish();
});

test("a lease gives the token what the file asks for, as far as run and repository allow", async () => {
  const runner = hub.connect(server, await hub.runner());
  await runner.hello();
  const granted = async (trust: string, user: string | null, most = "write") => {
    const job = await hub.queue({ job: { permissions: ["repo:write", "pipeline:read"] } });
    await hub.db.query(
      "update pipelines set trust = $2, triggered_by = $3 where id = (select pipeline_id from job_attempts where id = $1)",
      [job.attemptId, trust, user],
    );
    await hub.db.query(
      "update repositories set job_permissions_max = $2 where id = (select repository_id from job_attempts where id = $1)",
      [job.attemptId, most],
    );
    const spec = await runner.acceptNext();
    expect(spec.attemptId).toBe(job.attemptId);
    const sql = "select token_scopes, token_limit from job_attempts where id = $1";
    const token = await hub.db.one(sql, [spec.attemptId]);
    await runner.runTrivially(spec);
    return token;
  };
  const [user] = await hub.db.query<{ id: string }>("select id from users where type = 'user' limit 1");
  expect(await granted("own", user?.id ?? "")).toEqual({
    token_scopes: ["repo:write", "pipeline:read"],
    token_limit: null,
  });
  expect(await granted("fork", user?.id ?? "")).toEqual({
    token_scopes: ["repo:read", "pipeline:read"],
    token_limit: "Tokens of jobs only read in runs of forks.",
  });
  expect(await granted("own", user?.id ?? "", "read")).toEqual({
    token_scopes: ["repo:read", "pipeline:read"],
    token_limit: "Tokens of jobs only read in this repository, as its settings say.",
  });
});

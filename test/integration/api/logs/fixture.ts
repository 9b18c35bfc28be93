/** An API server with a run whose logs can be written; people to read them. */
import { createHash } from "node:crypto";
import {
  startApiServer,
  type ApiServer,
  type ApiServerOptions,
  type TestPerson,
} from "../../../support/api-server.ts";
import { endOf, frameOf } from "../../../support/log-frames.ts";
import { insertRun, openStreams, type TestRun } from "../../logs/fixture.ts";
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";

export interface LogApi {
  server: ApiServer;
  run: TestRun;
  owner: TestPerson;
  stranger: TestPerson;
  /** `/repos/OWNER/REPO/pipelines/ID` */
  path: string;
  setup: Buffer;
  step: Buffer;
  stepStream: string;
  /** Ends the run, and with it its logs. */
  finish(): Promise<void>;
}

export async function logApi(visibility = "private", options: ApiServerOptions = {}): Promise<LogApi> {
  const server = await startApiServer(options);
  await migrate(server.database.ownerUrl);
  const { db } = server.container.platform;
  const { logs } = server.container.pipelines;
  const run = await insertRun(db, visibility);
  const row = await db.one<{ id: string; username: string; name: string }>(
    `select u.id, u.username, r.name from repositories r join users u on u.id = r.owner_id where r.id = $1`,
    [run.repositoryId],
  );
  if (!row) throw new Error("no owner");
  const owner: TestPerson = { id: row.id, username: row.username, token: "" };
  const all: Scope[] = ["repo:read", "pipeline:read"];
  owner.token = await server.tokenFor(owner, all);
  const streams = await openStreams({ logs, db }, run);
  const [first, second] = streams;
  if (!first || !second) throw new Error("no streams");
  const setup = Buffer.from("cloning\nready\n");
  const step = Buffer.concat([
    Buffer.from("\u001b[31mred\u001b[0m <b>&\u0007\n"),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from(Array.from({ length: 3000 }, (_, i) => `line ${i + 3}\n`).join("")),
    Buffer.from("without end"),
  ]);
  for (const [stream, text] of [
    [first, setup],
    [second, step],
  ] as const)
    for (let at = 0; at < text.length; at += 10_000)
      await logs.ingest.append(stream.id, frameOf(text, at, Math.min(text.length, at + 10_000), at > 0));
  return {
    server,
    run,
    owner,
    stranger: await server.person(
      `stranger${createHash("sha1").update(run.jobId).digest("hex").slice(0, 6)}`,
    ),
    path: `/repos/${owner.username}/${row.name}/pipelines/${run.pipelineId}`,
    setup,
    step,
    stepStream: second.id,
    async finish() {
      await logs.ingest.eof(first.id, endOf(setup));
      await logs.ingest.eof(second.id, endOf(step));
      await db.transaction(async (tx) => {
        await tx.query("update job_attempts set state = 'ended', status = 'success' where id = $1", [
          run.attemptId,
        ]);
        await tx.query("update pipelines set status = 'success', finished_at = now() where id = $1", [
          run.pipelineId,
        ]);
        await tx.notify("run", run.pipelineId);
      });
    },
  };
}

/** A log that counts as storage. */
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { ApiServer, TestPerson } from "../../../support/api-server.ts";
import { endOf, frameOf } from "../../../support/log-frames.ts";
import { insertRun, openStreams } from "../../logs/fixture.ts";

/** A repository of an organization with a run whose log lies in object storage. */
export async function repositoryWithLog(
  server: ApiServer,
  root: TestPerson,
  bytes: number,
): Promise<{ fullName: string; storedBytes: number }> {
  const { db, objects, storage } = server.container.platform;
  const { logs } = server.container.pipelines;
  const { storageMeter } = server.container.hosting;
  const { id: organization } = (
    await server.api("POST", "/orgs", { token: root.token, body: { name: "acme" } })
  ).json;
  const run = await insertRun(db);
  await db.query("update repositories set owner_id = $2 where id = $1", [run.repositoryId, organization]);
  await storage.create(run.repositoryId, "main");
  await db.transaction((tx) => storageMeter.mark(tx, run.repositoryId));
  const [stream] = await openStreams({ logs, db }, run);
  if (!stream) throw new Error("no stream");
  const text = Buffer.from(randomBytes(bytes).toString("base64"));
  await logs.ingest.append(stream.id, frameOf(text, 0, text.length));
  await logs.ingest.eof(stream.id, endOf(text));
  await logs.mover.sweep();
  await logs.mover.idle();
  let storedBytes = 0;
  for await (const { sizeBytes } of objects.list(`logs/${stream.id}/`)) storedBytes += sizeBytes;
  expect(storedBytes).toBeGreaterThan(bytes);
  return { fullName: `acme/${run.repositoryId.slice(-10)}`, storedBytes };
}

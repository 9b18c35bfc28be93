/**
 * A log service in a process of its own, for tests that kill it at a crash point. Arguments: database address,
 * directory of objects, `append` or `move`, stream id. `append` writes lines and prints each acknowledged offset.
 */
import { Registry } from "prom-client";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createLogService } from "@forgeline/server/domains/pipelines/logs/service.ts";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { frameOf } from "../../support/log-frames.ts";

const [url = "", directory = "", what, streamId = ""] = process.argv.slice(2);
const logger = createLogger({ name: "doomed", level: "fatal" });
const db = createDatabase({ url, poolSize: 2, applicationName: "doomed", logger });
const logs = createLogService({ db, objects: createFileStore(directory), logger, registry: new Registry() });

if (what === "append") {
  const text = Buffer.from("first\nsecond\nthird\n");
  for (const [start, end] of [
    [0, 6],
    [6, 13],
    [13, 19],
  ] as const) {
    const answer = await logs.ingest.append(streamId, frameOf(text, start, end));
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
} else {
  await logs.mover.sweep();
  await logs.mover.idle();
}
await logs.close();
await db.close();

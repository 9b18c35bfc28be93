/** A server with a worker, whose organization has an audit log that is sent somewhere. */
import type { AuditStream } from "@forgeline/schemas/audit-streams/resource.ts";
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import { recordAudit } from "@forgeline/server/domains/operation/audit/record.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { startApiServer, type ApiAnswer, type ApiServer, type TestPerson } from "./api-server.ts";
import { readBed } from "./bed.ts";
import { eventually } from "./eventually.ts";
import { startWorker } from "./failing-work.ts";
import type { Received } from "./webhook-receiver.ts";

export interface AuditStreamBed {
  server: ApiServer;
  /** Administrator, and owner of `acme`. */
  ada: TestPerson;
  /** As ada. */
  send(method: string, path: string, body?: object): Promise<ApiAnswer>;
  /** Writes so many entries into the log of `acme`. */
  record(count: number): Promise<void>;
  /** Of `acme`, once nothing waits. */
  upToDate(): Promise<AuditStream>;
  /** All entries of `acme`, oldest first. */
  entries(): Promise<AuditEntry[]>;
  close(): Promise<void>;
}

export const streamPath = "/orgs/acme/audit-log/stream";

export async function startAuditStreamBed(name: string, retryMs = 200): Promise<AuditStreamBed> {
  const { caFile } = (await readBed()).certificates;
  const server = await startApiServer({
    env: {
      FORGELINE_TASK_QUEUE: `test-${name}-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: caFile,
    },
    periods: { auditStreamRetryMs: retryMs },
  });
  const stop = await startWorker(server);
  const ada = await server.person("ada", { isAdmin: true });
  const send: AuditStreamBed["send"] = (method, path, body) =>
    server.api(method, path, { token: ada.token, ...(body === undefined ? {} : { body }) });
  const orgId = (await send("POST", "/orgs", { name: "acme" })).json["id"] as string;
  return {
    server,
    ada,
    send,
    record: (count) => recordEntries(server, orgId, count),
    upToDate: () =>
      eventually(
        async () => {
          const { json } = await send("GET", streamPath);
          return json["status"] === "up_to_date" && (json as unknown as AuditStream);
        },
        { timeoutMs: 30_000 },
      ),
    async entries() {
      const found: AuditEntry[] = [];
      for (let page = 1; ; page += 1) {
        const { json } = await send("GET", `/orgs/acme/audit-log?per_page=100&page=${page}`);
        found.unshift(...(json as unknown as AuditEntry[]).toReversed());
        if ((json as unknown as AuditEntry[]).length < 100) return found;
      }
    },
    async close() {
      await stop();
      await server.stop();
    },
  };
}

async function recordEntries({ container }: ApiServer, orgId: string, count: number): Promise<void> {
  await container.platform.db.transaction(async (tx) => {
    for (let number = 1; number <= count; number += 1)
      await recordAudit(tx, systemActor, {
        action: "org.settings_change",
        target: { type: "organization", id: orgId, name: "acme" },
        details: { text: `“two\nlines” ${number}` },
      });
  });
}

/** Entries that a receiver of HTTPS was sent. */
export function eventsOf(requests: readonly Received[]): AuditEntry[] {
  return requests.flatMap(({ json }) => json["events"] as AuditEntry[]);
}

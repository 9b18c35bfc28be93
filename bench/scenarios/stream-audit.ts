/** R19: streaming a long audit log to one target, which accepts everything at once. */
import { createServer } from "node:https";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import type { AuditStream } from "@forgeline/schemas/audit-streams/resource.ts";
import { eventually } from "../../test/support/eventually.ts";
import { fillLog } from "../long-log.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { nowMs } from "../statistics.ts";

const name = "streamed-log";
const path = `/orgs/${name}/audit-log/stream`;
const atLeast = 20_000;

/** Takes every batch, and counts bytes alone. */
async function startSink(bench: Bench) {
  const { certFile, keyFile } = bench.instance.certificates;
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  let requests = 0;
  let bytes = 0;
  const server = createServer({ cert, key }, (request, response) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => {
      requests += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    counts: () => ({ requests, bytes }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  await fillLog(bench, name);
  const sink = await startSink(bench);
  try {
    const beganMs = nowMs();
    await bench.client.call("PUT", path, { url: sink.url, token: "token-of-the-stream", start_seq: 1 });
    const done = await eventually(
      async () => {
        const now = await bench.client.call<AuditStream>("GET", path);
        if (now.last_error !== null) throw new Error(now.last_error);
        return now.status === "up_to_date" && now;
      },
      { timeoutMs: 600_000, intervalMs: 200 },
    );
    const ms = nowMs() - beganMs;
    const { requests, bytes } = sink.counts();
    const perSecond = (done.last_sent_seq / ms) * 1000;
    return {
      figures: [
        {
          what: `${countOf(done.last_sent_seq)} entries to one HTTPS target`,
          value: `${countOf(Math.round(perSecond))} a second (${countOf(requests)} requests, ${(bytes / 1024 / 1024).toFixed(0)} MiB in ${(ms / 1000).toFixed(1)} s)`,
          limit: { text: `≥ ${countOf(atLeast)} a second`, met: perSecond >= atLeast },
        },
      ],
      parts: [],
    };
  } finally {
    await bench.client.call("DELETE", path).catch(() => undefined);
    await sink.close();
  }
}

export const streamAuditScenario: Scenario = {
  number: 19,
  isLong: true,
  title: ({ rows }) => `Streaming an audit log of ${countOf(rows)} entries`,
  run,
};

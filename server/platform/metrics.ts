/** Prometheus metrics of one process, and the small server that shows them on a port of its own. */
import { createServer, type Server } from "node:http";
import { Registry, collectDefaultMetrics } from "prom-client";
import type { Database } from "./db/database.ts";
import { createGauge, createHistogram } from "./declared-metrics.ts";

export type Metrics = Registry;

export interface HttpMetrics {
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
}

/** Features add their own with `createCounter` and its like (`declared-metrics.ts`). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function createHttpMetrics(metrics: Metrics): HttpMetrics {
  const durations = createHistogram(metrics, "forgeline_http_request_seconds");
  const known = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
  // As many as there are label combinations; finding one by its labels costs more than observing.
  const children = new Map<string, { observe(seconds: number): void }>();
  return {
    observeRequest({ method, route, status, seconds }) {
      const key = `${known.has(method) ? method : "other"} ${status} ${route}`;
      let child = children.get(key);
      if (!child) {
        child = durations.labels(known.has(method) ? method : "other", route, String(status));
        children.set(key, child);
      }
      child.observe(seconds);
    },
  };
}

export function observePool(metrics: Metrics, db: Database): void {
  createGauge(metrics, "forgeline_database_connections", (gauge) => {
    for (const [state, count] of Object.entries(db.poolState())) gauge.set({ state }, count);
  });
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** What else can be looked at on the port of metrics, by whoever looks after the process. Undefined for other paths. */
export type ExtraPage = (path: string) => Promise<{ status: number; body?: object } | undefined>;

async function answerTo(
  path: string,
  metrics: Metrics,
  look: ExtraPage | undefined,
): Promise<{ status: number; type?: string; text?: string } | undefined> {
  if (path === "/metrics") return { status: 200, type: metrics.contentType, text: await metrics.metrics() };
  const seen = await look?.(path);
  if (!seen?.body) return seen;
  return { status: seen.status, type: "application/json", text: JSON.stringify(seen.body) };
}

export async function serveMetrics(
  metrics: Metrics,
  address: { host: string; port: number },
  look?: ExtraPage,
): Promise<MetricsServer> {
  const server: Server = createServer((req, res) => {
    const answer = req.method === "GET" ? answerTo(req.url ?? "", metrics, look) : Promise.resolve(undefined);
    answer.then(
      ({ status, type, text } = { status: 404 }) =>
        res.writeHead(status, type ? { "Content-Type": type } : {}).end(text),
      () => res.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound ? bound.port : address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

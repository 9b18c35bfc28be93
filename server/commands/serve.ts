/**
 * `serve`: the API server until SIGTERM or SIGINT. Stopping goes in order: not ready any more, some time for a load
 * balancer to notice, sockets told to go elsewhere, requests in flight get up to 30 s, then everything closes. Without
 * that time a connection that the kernel took and the process did not is reset.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { createContainer, withoutDatabase, type Container } from "../container.ts";
import { openListeners } from "../platform/http/listeners.ts";
import { createRunnerPresenceCheck } from "../domains/pipelines/domain.ts";
import { createHttpServer } from "../edges/http-server.ts";
import { openInboundMail } from "../edges/inbound-mail/server.ts";
import { openSshListener } from "../edges/git-ssh/listener.ts";
import { openSshServer } from "../edges/git-ssh/open-ssh-server.ts";
import { joinConcurrently, joinLifecycles } from "../platform/lifecycle.ts";
import { serveMetrics, type MetricsServer } from "../platform/metrics.ts";
import { endProcess } from "../platform/process-end.ts";

const drainMs = 30_000;
/** Beside the draining, for what goes to the database at the end. Together less than a supervisor of ours waits. */
const closeMs = 4_000;

export async function serve(config: Config): Promise<void> {
  if (!config.tls.certFile && config.trustedProxies.isEmpty)
    throw new Error("FORGELINE_TLS_CERT_FILE or FORGELINE_TRUSTED_PROXIES is required: only HTTPS is served");
  const listeners = await openListeners(config);
  const ssh = await openSshListener(config);
  const { httpsPort } = listeners;
  const container = await createContainer(config, { role: "server", httpsPort, sshPort: ssh?.port });
  const forEdges = withoutDatabase(container);
  const http = await createHttpServer(forEdges);
  const sshServer = openSshServer(forEdges);
  const inboundMail = await openInboundMail(forEdges);
  const metrics = await openMetrics(container);
  const server = joinLifecycles([
    container.lifecycle,
    { close: () => metrics?.close() },
    joinConcurrently([
      { start: () => listeners.attach(http.handlers), close: () => listeners.close(drainMs) },
      { start: () => sshServer && ssh?.attach(sshServer.accept), close: () => ssh?.close() },
      { close: () => sshServer?.close(drainMs) },
      { close: () => inboundMail?.close() },
    ]),
    http.sockets,
  ]);
  server.start();
  const ready = {
    ready: true,
    https_port: httpsPort,
    http_port: listeners.httpPort ?? null,
    ssh_port: ssh?.port ?? null,
    metrics_port: metrics?.port ?? null,
    inbound_mail_port: inboundMail?.port ?? null,
    base_url: container.platform.addresses.baseUrl,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);

  await stopSignal();
  const { logger } = container.platform;
  logger.info("stopping");
  http.readiness.stopping();
  await delay(config.stopDelayMs);
  const close = async () => {
    await server.drain();
    await server.close();
  };
  await endProcess(close, { logger, what: "the server", withinMs: drainMs + closeMs });
}

/** Undefined without a port. */
async function openMetrics({ config, platform, pipelines }: Container): Promise<MetricsServer | undefined> {
  const { listen: host, port } = config.metrics;
  if (port === undefined) return undefined;
  const findRunner = createRunnerPresenceCheck({ ...pipelines, config });
  return serveMetrics(platform.metrics, { host, port }, findRunner);
}

/** The first signal starts the stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = () => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}

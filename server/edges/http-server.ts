/** The HTTP side of a container: which features are bound, and on which sockets they are served. */
import { fileURLToPath } from "node:url";
import type { EdgeContainer } from "../container.ts";
import { createAddressPages } from "./pages/address-pages.ts";
import { createLandingPage } from "./pages/landing-page.ts";
import { createDocsRouter } from "./docs/router.ts";
import { buildDocsSite } from "./docs/site.ts";
import { createHealthRouter, createReadiness, type Readiness } from "./pages/health.ts";
import { createAvatarRouter } from "./pages/avatar.ts";
import { createWebRouter } from "./pages/router.ts";
import { readWebSite } from "./pages/site.ts";
import { createLogWatchHub } from "./watch/hub.ts";
import { registerLogWatchSocket } from "./watch/upgrade.ts";
import { openRunnerHub } from "./runners/open-runner-hub.ts";
import { createAuthorizeRouter } from "./oauth/authorize-router.ts";
import { createSsoRouter } from "./sso/router.ts";
import { createTokenRouter } from "./oauth/token-router.ts";
import { credentialOf } from "../domains/accounts/domain.ts";
import { createLfsRouter } from "./lfs/router.ts";
import { createGitRouter } from "./git-http/router.ts";
import { createGitHttp } from "./git-http/git-http.ts";
import { createHttpMetrics } from "../platform/metrics.ts";
import { createGauge } from "../platform/declared-metrics.ts";
import { registerApiRoutes } from "./rest/register-routes.ts";
import { createApiRouter } from "./rest/api-router.ts";
import { createApp } from "../platform/http/app.ts";
import { createErrorResponder } from "../platform/http/error-response.ts";
import { createEtagMaker } from "../platform/http/etag.ts";
import { createOpenApiDocument } from "./openapi/openapi.ts";
import { createRateGate } from "./http/rate-gate.ts";
import { createRequestSlots } from "../platform/http/request-slots.ts";
import type { HttpHandlers } from "../platform/http/listeners.ts";
import { once } from "../platform/http/once.ts";
import type { RouteBinder } from "./rest/route-binder.ts";
import { createUpgradeRegistry, type UpgradeRegistry } from "./http/upgrade.ts";

export interface HttpServer {
  handlers: HttpHandlers;
  binder: RouteBinder;
  upgrades: UpgradeRegistry;
  readiness: Readiness;
  close(): Promise<void>;
}

/** Reads the built pages from disk, hence asynchronous. */
export async function createHttpServer(container: EdgeContainer): Promise<HttpServer> {
  const { config, platform, policy, operation, accounts, organizations, hosting, pipelines } = container;
  const { addresses, logger, metrics, locate, bodies, instanceKey } = platform;
  const { identity } = accounts;
  const { rateLimits } = operation;
  const errors = createErrorResponder({ docsUrl: addresses.docsUrl, logger });
  const readiness = createReadiness();
  readiness.check("postgresql", () => platform.pingDatabase());
  readiness.check("object_storage", () => platform.objects.check());
  // Without Temporal requests are answered and work waits in the outbox.
  readiness.check("temporal", () => platform.temporal.isUp(), { optional: true });
  const gate = createRateGate(rateLimits);
  const api = createApiRouter({
    identity,
    gate,
    places: createRequestSlots(config.requestSlots, metrics),
    bodies,
    authorizer: policy.authorizer,
    etags: createEtagMaker(instanceKey.derive("etag")),
    idempotency: platform.idempotency,
    webUrl: addresses.webUrl,
  });
  registerApiRoutes(api, container);
  // Made when somebody first asks: both take longer than all else of a start.
  const openApi = once(() => createOpenApiDocument(api.contracts()));
  api.serveDocument(openApi);
  api.finish();
  const site = once(() =>
    buildDocsSite({
      directory: config.docsDir ?? checkoutPath("docs"),
      openApi: openApi(),
      pipelineSchemaFile: checkoutPath("schemas/generated/json-schema/pipeline-1.json"),
    }),
  );
  const pages =
    config.webDir === undefined
      ? [createLandingPage(), createAddressPages(addresses)]
      : [createWebRouter(await readWebSite(config.webDir))];
  const gitHttp = createGitHttp({
    ...platform,
    ...platform.exchanges,
    ...policy,
    ...operation,
    ...hosting,
    config,
    authenticate: identity.authenticate,
  });
  const app = createApp({
    trustedProxies: config.trustedProxies,
    locate,
    errors,
    logger,
    metrics: createHttpMetrics(metrics),
    api: api.router,
    routers: [
      createHealthRouter(readiness),
      createAvatarRouter(),
      createDocsRouter({ site, downloadsDir: config.downloadsDir }),
      createAuthorizeRouter({
        ...accounts,
        gate,
        errors,
        webUrl: addresses.webUrl,
        hasPages: config.webDir !== undefined,
      }),
      createTokenRouter({ ...accounts, addresses, gate, errors }),
      createSsoRouter({ ...organizations, identity, gate, errors, webUrl: addresses.webUrl }),
      createLfsRouter({
        ...platform,
        ...policy,
        ...accounts,
        ...hosting,
        gate,
        credentialOf,
        resume: accounts.resumeActor,
      }),
      createGitRouter(gitHttp),
      ...pages,
    ],
  });
  const upgrades = createUpgradeRegistry({
    identity,
    rateLimits,
    trustedProxies: config.trustedProxies,
    locate,
    errors,
    webUrl: addresses.webUrl,
  });
  const logWatch = createLogWatchHub(
    { ...platform, ...pipelines },
    { checkMs: config.periods.viewerCheckMs },
  );
  registerLogWatchSocket(upgrades, { ...policy, ...pipelines, hub: logWatch });
  createGauge(metrics, "forgeline_log_viewers", (gauge) => gauge.set(logWatch.viewers()));
  const runnerHub = openRunnerHub(upgrades, { ...platform, ...pipelines, config });
  return {
    handlers: { request: app, upgrade: upgrades.handle },
    binder: api,
    upgrades,
    readiness,
    async close() {
      logWatch.close();
      await runnerHub.stop();
    },
  };
}

function checkoutPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

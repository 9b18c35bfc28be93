/** The HTTP side of a container: which features are bound, and on which sockets they are served. */
import { fileURLToPath } from "node:url";
import type { Router } from "express";
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
import { createShellHub } from "./shells/hub.ts";
import { registerShellViewerSocket } from "./shells/viewer-socket.ts";
import { openRunnerHub } from "./runners/open-runner-hub.ts";
import { createAuthorizeRouter } from "./oauth/authorize-router.ts";
import { createSsoRouter } from "./sso/router.ts";
import { createTokenRouter } from "./oauth/token-router.ts";
import { createTeamAddressRouter } from "./team-address/router.ts";
import { createUnsubscribeRouter } from "./unsubscribe/router.ts";
import { createIdTokensRouter } from "./id-tokens/router.ts";
import { createJobArtifactsRouter } from "./job-artifacts/router.ts";
import { createCacheUploadsRouter, createJobCachesRouter } from "./job-caches/router.ts";
import { createLfsRouter } from "./lfs/router.ts";
import { createGitRouter } from "./git-http/router.ts";
import { createGitHttp } from "./git-http/git-http.ts";
import type { Addresses } from "../platform/addresses.ts";
import { createHttpMetrics } from "../platform/metrics.ts";
import { createGauge } from "../platform/declared-metrics.ts";
import { registerApiRoutes } from "./rest/register-routes.ts";
import { createApiRouter } from "./rest/api-router.ts";
import { createApp } from "../platform/http/app.ts";
import { createErrorResponder, type ErrorResponder } from "../platform/http/error-response.ts";
import { createEtagMaker } from "../platform/http/etag.ts";
import { createOpenApiDocument } from "./openapi/openapi.ts";
import { createRateLimiter, type RateLimiter } from "./http/rate-limiter.ts";
import { createRequestSlots } from "../platform/http/request-slots.ts";
import type { HttpHandlers } from "../platform/http/listeners.ts";
import { joinLifecycles, type Lifecycle } from "../platform/lifecycle.ts";
import { once } from "../platform/http/once.ts";
import type { RouteBinder } from "./rest/route-binder.ts";
import { createUpgradeRegistry, type UpgradeRegistry } from "./http/upgrade.ts";

export interface HttpServer {
  handlers: HttpHandlers;
  binder: RouteBinder;
  upgrades: UpgradeRegistry;
  readiness: Readiness;
  /** Upgrades of requests to WebSockets. */
  sockets: Required<Lifecycle>;
}

/** Reads the built pages from disk, hence asynchronous. */
export async function createHttpServer(container: EdgeContainer): Promise<HttpServer> {
  const { config, platform, operation, accounts } = container;
  const { addresses, logger, metrics, locate } = platform;
  const errors = createErrorResponder({ docsUrl: addresses.docsUrl, logger });
  const readiness = readinessOf(platform);
  const gate = createRateLimiter(operation.rateLimits);
  const api = createApi(container, gate);
  const app = createApp({
    trustedProxies: config.trustedProxies,
    locate,
    errors,
    logger,
    metrics: createHttpMetrics(metrics),
    api: api.binder.router,
    routers: [
      createHealthRouter(readiness),
      createAvatarRouter(),
      createDocsRouter({ site: docsSite(config, api.document), downloadsDir: config.downloadsDir }),
      ...signInRouters(container, { gate, errors }),
      createUnsubscribeRouter({ ...container.collaboration, gate }),
      createTeamAddressRouter({ ...container.collaboration, gate }),
      createIdTokensRouter({ ...container.pipelines, gate, webUrl: addresses.webUrl }),
      createJobArtifactsRouter({ ...accounts, ...container.pipelines }),
      createJobCachesRouter({ ...accounts, ...container.pipelines }),
      createCacheUploadsRouter(container.pipelines),
      ...gitRouters(container, gate),
      ...(await pageRouters(config, addresses)),
    ],
  });
  const { upgrades, sockets } = openSockets(container, errors);
  return {
    handlers: { request: app, upgrade: upgrades.handle },
    binder: api.binder,
    upgrades,
    readiness,
    sockets,
  };
}

function readinessOf({ pingDatabase, objects, temporal }: EdgeContainer["platform"]): Readiness {
  const readiness = createReadiness();
  readiness.check("postgresql", () => pingDatabase());
  readiness.check("object_storage", () => objects.check());
  // Without Temporal, requests are answered and work waits in the outbox.
  readiness.check("temporal", () => temporal.isUp(), { optional: true });
  return readiness;
}

/** `document` is created at the first request, like the documentation: both would take longer than the rest of the start. */
function createApi(container: EdgeContainer, gate: RateLimiter) {
  const { config, platform, policy, accounts } = container;
  const { addresses, metrics, bodies, instanceKeys } = platform;
  const binder = createApiRouter({
    identity: accounts.identity,
    gate,
    slots: createRequestSlots(config.requestSlots, metrics),
    bodies,
    authorizer: policy.authorizer,
    etags: createEtagMaker(() => instanceKeys.derived("etag")),
    idempotency: platform.idempotency,
    webUrl: addresses.webUrl,
  });
  registerApiRoutes(binder, container);
  const document = once(() => createOpenApiDocument(binder.contracts()));
  binder.serveDocument(document);
  binder.finish();
  return { binder, document };
}

function docsSite({ docsDir }: EdgeContainer["config"], openApi: ReturnType<typeof createApi>["document"]) {
  return once(() =>
    buildDocsSite({
      directory: docsDir ?? checkoutPath("docs"),
      openApi: openApi(),
      pipelineSchemaFile: checkoutPath("schemas/generated/json-schema/pipeline-1.json"),
    }),
  );
}

function signInRouters(
  container: EdgeContainer,
  shared: { gate: RateLimiter; errors: ErrorResponder },
): Router[] {
  const { config, platform, accounts, organizations } = container;
  const { addresses } = platform;
  const { webUrl } = addresses;
  return [
    createAuthorizeRouter({ ...accounts, ...shared, webUrl, hasPages: config.webDir !== undefined }),
    createTokenRouter({ ...accounts, ...shared, addresses }),
    createSsoRouter({ ...organizations, ...shared, identity: accounts.identity, webUrl }),
  ];
}

function gitRouters(container: EdgeContainer, gate: RateLimiter): Router[] {
  const { config, platform, operation, accounts, hosting } = container;
  const gitHttp = createGitHttp({
    ...platform,
    ...platform.exchanges,
    ...operation,
    ...hosting,
    config,
    authenticate: accounts.identity.authenticate,
  });
  const lfs = createLfsRouter({
    ...platform,
    ...accounts,
    ...hosting,
    gate,
  });
  return [lfs, createGitRouter(gitHttp)];
}

async function pageRouters({ webDir }: EdgeContainer["config"], addresses: Addresses): Promise<Router[]> {
  if (webDir === undefined) return [createLandingPage(), createAddressPages(addresses)];
  return [createWebRouter(await readWebSite(webDir))];
}

/** For viewers of logs, and for runners. */
function openSockets(container: EdgeContainer, errors: ErrorResponder) {
  const { config, platform, policy, operation, accounts, pipelines } = container;
  const upgrades = createUpgradeRegistry({
    identity: accounts.identity,
    rateLimits: operation.rateLimits,
    trustedProxies: config.trustedProxies,
    locate: platform.locate,
    errors,
    webUrl: platform.addresses.webUrl,
  });
  const logWatch = createLogWatchHub(
    { ...platform, ...pipelines },
    { checkMs: config.periods.viewerCheckMs },
  );
  registerLogWatchSocket(upgrades, { ...policy, ...pipelines, hub: logWatch });
  createGauge(platform.metrics, "forgeline_log_viewers", (gauge) => gauge.set(logWatch.viewers()));
  const shellHub = createShellHub({
    ...platform,
    shells: pipelines.shells,
    onCredentialEnd: pipelines.logs.onCredentialEnd,
    checkMs: config.periods.viewerCheckMs,
  });
  registerShellViewerSocket(upgrades, { ...policy, ...pipelines, hub: shellHub });
  const runnerHub = openRunnerHub(upgrades, { ...platform, ...pipelines, config, shellHub });
  return {
    upgrades,
    sockets: joinLifecycles([runnerHub, { drain: shellHub.close }, { drain: logWatch.close }]),
  };
}

function checkoutPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

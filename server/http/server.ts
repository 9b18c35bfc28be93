/** The HTTP side of a container: which features are bound, and on which sockets they are served. */
import { fileURLToPath } from "node:url";
import type { Container } from "../container.ts";
import { registerAnnouncementRoutes } from "../features/announcements/routes.ts";
import { registerAuditRoutes } from "../features/audit/routes.ts";
import { registerBranchRoutes } from "../features/branches/routes.ts";
import { registerBranchProtectionRoutes } from "../features/protections/branch-routes.ts";
import { registerTagProtectionRoutes } from "../features/protections/tag-routes.ts";
import { registerCollaboratorRoutes } from "../features/collaborators/routes.ts";
import { registerCommitRoutes } from "../features/commits/routes.ts";
import { registerContentsRoutes } from "../features/contents/routes.ts";
import { createAddressPages } from "../features/docs/address-pages.ts";
import { createLandingPage } from "../features/docs/landing-page.ts";
import { createDocsRouter } from "../features/docs/router.ts";
import { buildDocsSite } from "../features/docs/site.ts";
import { createHealthRouter, createReadiness, type Readiness } from "../features/instance/health.ts";
import { registerInstanceRoutes } from "../features/instance/routes.ts";
import { registerLimitRoutes } from "../features/limits/routes.ts";
import { registerLogRoutes } from "../features/logs/routes.ts";
import { registerBotRoutes } from "../features/organizations/bot-routes.ts";
import { registerInvitationRoutes } from "../features/organizations/invitation-routes.ts";
import { registerMemberRoutes } from "../features/organizations/member-routes.ts";
import { registerOwnerRoutes } from "../features/organizations/owner-routes.ts";
import { registerOrganizationRoutes } from "../features/organizations/routes.ts";
import { registerPipelineRoutes } from "../features/pipelines/routes.ts";
import { registerRepositoryRoutes } from "../features/repositories/routes.ts";
import { registerTransferRoutes } from "../features/repositories/transfer-routes.ts";
import { registerRunnerRoutes } from "../features/runners/routes.ts";
import { registerSessionRoutes } from "../features/sessions/routes.ts";
import { registerSignInRoutes } from "../features/sign-in/routes.ts";
import { registerTeamRoutes } from "../features/teams/routes.ts";
import { registerTemplateRoutes } from "../features/templates/routes.ts";
import { registerTokenRoutes } from "../features/tokens/routes.ts";
import { createAvatarRouter } from "../features/users/avatar.ts";
import { registerPasskeyRoutes } from "../features/passkeys/routes.ts";
import { registerDeployKeyRoutes } from "../features/ssh-keys/deploy-key-routes.ts";
import { registerSshKeyRoutes } from "../features/ssh-keys/routes.ts";
import { registerStatisticsRoutes } from "../features/statistics/routes.ts";
import { registerStorageRoutes } from "../features/storage/routes.ts";
import { registerWorkRoutes } from "../features/work/routes.ts";
import { registerTwoFactorRoutes } from "../features/two-factor/routes.ts";
import { registerMaintenanceRoutes } from "../features/maintenance/routes.ts";
import { registerMailRoutes } from "../features/mail/routes.ts";
import { registerEmailRoutes } from "../features/users/email-routes.ts";
import { registerUserAdministrationRoutes } from "../features/users/admin-routes.ts";
import { registerOrganizationAdministrationRoutes } from "../features/organizations/admin-routes.ts";
import { registerUserRoutes } from "../features/users/routes.ts";
import { createWebRouter } from "../features/web/router.ts";
import { readWebSite } from "../features/web/site.ts";
import { createLogWatchHub } from "../sockets/log-watch.ts";
import { registerLogWatchSocket } from "../sockets/log-watch-upgrade.ts";
import { openRunnerDoor } from "../sockets/runner-door.ts";
import { createAuthorizeDoor } from "../features/oauth/authorize-door.ts";
import { registerOAuthRoutes } from "../features/oauth/routes.ts";
import { createSsoDoor } from "../features/sso/door.ts";
import { registerSsoRoutes } from "../features/sso/routes.ts";
import { createTokenDoor } from "../features/oauth/token-door.ts";
import { credentialOf, resumeActor } from "../features/identity/resume.ts";
import { createLfsDoor } from "../features/lfs/door.ts";
import { registerLfsRoutes } from "../features/lfs/routes.ts";
import { createGitRouter } from "../git/http/door.ts";
import { createGitHttp } from "../git/http/git-http.ts";
import { createHttpMetrics, Gauge } from "../platform/metrics.ts";
import { createApiRouter } from "./api-router.ts";
import { createApp } from "../platform/http/app.ts";
import { createErrorResponder } from "../platform/http/error-response.ts";
import { createEtagMaker } from "../platform/http/etag.ts";
import { createIdempotency } from "../platform/http/idempotency.ts";
import { createOpenApiDocument } from "./openapi.ts";
import { createRateGate } from "./rate-gate.ts";
import { createRequestPlaces } from "../platform/http/request-places.ts";
import type { Doors } from "../platform/http/listeners.ts";
import { once } from "../platform/http/once.ts";
import type { RouteBinder } from "./route-binder.ts";
import { createUpgradeRegistry, type UpgradeRegistry } from "./upgrade.ts";

export interface HttpServer {
  doors: Doors;
  binder: RouteBinder;
  upgrades: UpgradeRegistry;
  readiness: Readiness;
  close(): Promise<void>;
}

const idempotencySweepMs = 10 * 60 * 1000;

/** Reads the built pages from disk, hence asynchronous. */
export async function createHttpServer(container: Container): Promise<HttpServer> {
  const { addresses, config, identity, logger } = container;
  const errors = createErrorResponder({ docsUrl: addresses.docsUrl, logger });
  const idempotency = createIdempotency(container.db);
  const readiness = createReadiness();
  readiness.check("postgresql", () => container.db.query("select 1"));
  readiness.check("object_storage", () => container.objects.check());
  // Without Temporal requests are answered and work waits in the outbox.
  readiness.check("temporal", () => container.temporal.isUp(), { optional: true });
  const gate = createRateGate(container.rateLimits);
  const api = createApiRouter({
    identity,
    gate,
    places: createRequestPlaces(config.requestPlaces, container.metrics),
    bodies: container.bodies,
    authorizer: container.authorizer,
    etags: createEtagMaker(container.instanceKey.derive("etag")),
    idempotency,
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
  const gitHttp = createGitHttp({ ...container, authenticate: identity.authenticate });
  const app = createApp({
    trustedProxies: config.trustedProxies,
    locate: container.locate,
    errors,
    logger,
    metrics: createHttpMetrics(container.metrics),
    api: api.router,
    doors: [
      createHealthRouter(readiness),
      createAvatarRouter(),
      createDocsRouter({ site, downloadsDir: config.downloadsDir }),
      createAuthorizeDoor({
        ...container,
        gate,
        errors,
        webUrl: addresses.webUrl,
        hasPages: config.webDir !== undefined,
      }),
      createTokenDoor({ ...container, gate, errors }),
      createSsoDoor({ ...container, gate, errors, webUrl: addresses.webUrl }),
      createLfsDoor({
        ...container,
        gate,
        credentialOf,
        resume: (credential, request) => resumeActor(container, credential, request),
      }),
      createGitRouter(gitHttp),
      ...pages,
    ],
  });
  const upgrades = createUpgradeRegistry({
    identity,
    rateLimits: container.rateLimits,
    trustedProxies: config.trustedProxies,
    locate: container.locate,
    errors,
    webUrl: addresses.webUrl,
  });
  const logWatch = createLogWatchHub(container, { checkMs: config.periods.viewerCheckMs });
  registerLogWatchSocket(upgrades, { ...container, hub: logWatch });
  new Gauge({
    name: "forgeline_log_viewers",
    help: "Sockets of this process that watch logs.",
    registers: [container.metrics],
    collect() {
      this.set(logWatch.viewers());
    },
  });
  const runnerHub = openRunnerDoor(upgrades, container);
  const sweeper = setInterval(() => void idempotency.sweep().catch(() => undefined), idempotencySweepMs);
  sweeper.unref();
  return {
    doors: { request: app, upgrade: upgrades.handle },
    binder: api,
    upgrades,
    readiness,
    async close() {
      clearInterval(sweeper);
      logWatch.close();
      await runnerHub.stop();
    },
  };
}

function checkoutPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** Every REST operation of the instance; features add one line each. */
export function registerApiRoutes(app: RouteBinder, container: Container): void {
  registerInstanceRoutes(app, container);
  registerLimitRoutes(app, container);
  registerAuditRoutes(app, container);
  registerUserRoutes(app, container);
  registerUserAdministrationRoutes(app, container);
  registerOrganizationAdministrationRoutes(app, container);
  registerAnnouncementRoutes(app, container);
  registerStorageRoutes(app, container);
  registerWorkRoutes(app, container);
  registerLfsRoutes(app, container);
  registerEmailRoutes(app, container);
  registerMailRoutes(app, container);
  registerSignInRoutes(app, container);
  registerSessionRoutes(app, container);
  registerTwoFactorRoutes(app, container);
  registerSshKeyRoutes(app, container);
  registerPasskeyRoutes(app, container);
  registerTokenRoutes(app, container);
  registerOAuthRoutes(app, container);
  registerOrganizationRoutes(app, container);
  registerOwnerRoutes(app, container);
  registerMemberRoutes(app, container);
  registerInvitationRoutes(app, container);
  registerTeamRoutes(app, container);
  registerBotRoutes(app, container);
  registerSsoRoutes(app, container);
  registerRepositoryRoutes(app, container);
  registerTransferRoutes(app, container);
  registerMaintenanceRoutes(app, container);
  registerCollaboratorRoutes(app, container);
  registerDeployKeyRoutes(app, container);
  registerTemplateRoutes(app, container.templates);
  registerContentsRoutes(app, container);
  registerBranchRoutes(app, container);
  registerBranchProtectionRoutes(app, container);
  registerTagProtectionRoutes(app, container);
  registerCommitRoutes(app, container);
  registerStatisticsRoutes(app, container);
  registerPipelineRoutes(app, container);
  registerLogRoutes(app, container);
  registerRunnerRoutes(app, container);
}

/** The HTTP side of a container: which features are bound, and on which sockets they are served. */
import { fileURLToPath } from "node:url";
import type { Container } from "../container.ts";
import { registerAnnouncementRoutes } from "./rest/administration/announcement-routes.ts";
import { registerAuditRoutes } from "./rest/audit/routes.ts";
import { registerBranchRoutes } from "./rest/branches/routes.ts";
import { registerBranchProtectionRoutes } from "./rest/branch-protections/routes.ts";
import { registerTagProtectionRoutes } from "./rest/tag-protections/routes.ts";
import { registerCollaboratorRoutes } from "./rest/collaborators/routes.ts";
import { registerCommitRoutes } from "./rest/commits/routes.ts";
import { registerContentsRoutes } from "./rest/contents/routes.ts";
import { createAddressPages } from "./pages/address-pages.ts";
import { createLandingPage } from "./pages/landing-page.ts";
import { createDocsRouter } from "./docs/router.ts";
import { buildDocsSite } from "./docs/site.ts";
import { createHealthRouter, createReadiness, type Readiness } from "./pages/health.ts";
import { registerInstanceRoutes } from "./rest/instance/routes.ts";
import { registerLimitRoutes } from "./rest/limits/routes.ts";
import { registerLogRoutes } from "./rest/logs/routes.ts";
import { registerBotRoutes } from "./rest/bots/routes.ts";
import { registerInvitationRoutes } from "./rest/invitations/routes.ts";
import { registerMemberRoutes } from "./rest/organization-members/routes.ts";
import { registerOwnerRoutes } from "./rest/owners/routes.ts";
import { registerOrganizationRoutes } from "./rest/organizations/routes.ts";
import { registerPipelineRoutes } from "./rest/pipelines/routes.ts";
import { registerRepositoryRoutes } from "./rest/repositories/routes.ts";
import { registerTransferRoutes } from "./rest/repository-transfers/routes.ts";
import { registerRunnerRoutes } from "./rest/runners/routes.ts";
import { registerSessionRoutes } from "./rest/sessions/routes.ts";
import { registerSignInRoutes } from "./rest/sign-in/routes.ts";
import { registerTeamRoutes } from "./rest/teams/routes.ts";
import { registerTemplateRoutes } from "./rest/templates/routes.ts";
import { registerTokenRoutes } from "./rest/tokens/routes.ts";
import { createAvatarRouter } from "./pages/avatar.ts";
import { registerPasskeyRoutes } from "./rest/passkeys/routes.ts";
import { registerDeployKeyRoutes } from "./rest/deploy-keys/routes.ts";
import { registerSshKeyRoutes } from "./rest/ssh-keys/routes.ts";
import { registerStatisticsRoutes } from "./rest/statistics/routes.ts";
import { registerStorageRoutes } from "./rest/storage/routes.ts";
import { registerWorkRoutes } from "./rest/work/routes.ts";
import { registerTwoFactorRoutes } from "./rest/two-factor/routes.ts";
import { registerMaintenanceRoutes } from "./rest/maintenance/routes.ts";
import { registerMailRoutes } from "./rest/mails/routes.ts";
import { registerEmailRoutes } from "./rest/emails/routes.ts";
import { registerUserAdministrationRoutes } from "./rest/administration/user-routes.ts";
import { registerOrganizationAdministrationRoutes } from "./rest/administration/organization-routes.ts";
import { registerUserRoutes } from "./rest/users/routes.ts";
import { createWebRouter } from "./pages/router.ts";
import { readWebSite } from "./pages/site.ts";
import { createLogWatchHub } from "./watch/hub.ts";
import { registerLogWatchSocket } from "./watch/upgrade.ts";
import { openRunnerDoor } from "./runners/open-runner-hub.ts";
import { createAuthorizeDoor } from "./oauth/authorize-door.ts";
import { registerOAuthRoutes } from "./rest/oauth/routes.ts";
import { createSsoDoor } from "./sso/door.ts";
import { registerSsoRoutes } from "./rest/sso/routes.ts";
import { createTokenDoor } from "./oauth/token-door.ts";
import { credentialOf, resumeActor } from "../domains/accounts/identity/resume.ts";
import { createLfsDoor } from "./lfs/door.ts";
import { registerLfsRoutes } from "./rest/lfs/routes.ts";
import { createGitRouter } from "./git-http/door.ts";
import { createGitHttp } from "./git-http/git-http.ts";
import { createHttpMetrics, Gauge } from "../platform/metrics.ts";
import { createApiRouter } from "./rest/api-router.ts";
import { createApp } from "../platform/http/app.ts";
import { createErrorResponder } from "../platform/http/error-response.ts";
import { createEtagMaker } from "../platform/http/etag.ts";
import { createIdempotency } from "../platform/http/idempotency.ts";
import { createOpenApiDocument } from "./rest/openapi.ts";
import { createRateGate } from "./http/rate-gate.ts";
import { createRequestPlaces } from "../platform/http/request-places.ts";
import type { Doors } from "../platform/http/listeners.ts";
import { once } from "../platform/http/once.ts";
import type { RouteBinder } from "./rest/route-binder.ts";
import { createUpgradeRegistry, type UpgradeRegistry } from "./http/upgrade.ts";

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

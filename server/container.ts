/**
 * Wires a process by hand. Every role gets database, logger, metrics and the services; the `server` role gets the HTTP
 * application besides, the `command` role nothing that runs on its own. `close()` undoes all of it.
 */
import type { Config } from "./config/config.ts";
import type { ContainerOptions } from "./container-options.ts";
import { createDatabase } from "./platform/db/database.ts";
import { createAuditLog } from "./domains/operation/audit/audit-log.ts";
import { createAdministration } from "./domains/operation/administration/services.ts";
import { createBranchService } from "./domains/hosting/branches/service.ts";
import { createCollaboratorService } from "./domains/hosting/collaborators/service.ts";
import { createCommitService } from "./domains/hosting/commits/service.ts";
import { createContentsReader } from "./domains/hosting/contents/reader.ts";
import { createContentsWriter } from "./domains/hosting/contents/writer.ts";
import { createBranchWriter } from "./domains/hosting/branches/writer.ts";
import { createGitignores } from "./domains/hosting/templates/gitignores.ts";
import { createLicenses } from "./domains/hosting/templates/licenses.ts";
import { removeLogs } from "./domains/pipelines/logs/remove-logs.ts";
import { createMaintenance } from "./domains/upkeep/maintenance/create-maintenance.ts";
import { createLogService } from "./domains/pipelines/logs/service.ts";
import { createTicketService } from "./domains/pipelines/logs/tickets.ts";
import { openObjectStore } from "./platform/objects/open-object-store.ts";
import { createIdentityService } from "./domains/accounts/identity/service.ts";
import { createLfs } from "./domains/hosting/lfs/create-lfs.ts";
import { createLimits } from "./domains/operation/limits/create-limits.ts";
import { createAuthorizer } from "./domains/policy/authorize.ts";
import { createOrganizationAccess } from "./domains/organizations/organizations/access.ts";
import { createOrganizations } from "./domains/organizations/organizations/create-organizations.ts";
import { createRepositoryAccess } from "./domains/hosting/repositories/access.ts";
import { createContentRules } from "./domains/hosting/pushes/content-rules.ts";
import { createPushService } from "./domains/hosting/pushes/service.ts";
import { createRepositoryService } from "./domains/hosting/repositories/service.ts";
import { createRepositoryServices } from "./domains/hosting/repositories/repository-services.ts";
import { createRunnerService } from "./domains/pipelines/runners/service.ts";
import { createCompilePool } from "./domains/pipelines/compile/compile-pool.ts";
import { createRunMetrics } from "./domains/pipelines/runs/metrics.ts";
import { createRunService } from "./domains/pipelines/runs/workflow-service.ts";
import { createProtections } from "./domains/hosting/protections/create-protections.ts";
import { createPipelineService } from "./domains/pipelines/runs/service.ts";
import { createInstanceSettings } from "./domains/operation/instance/settings.ts";
import { createSessionService } from "./domains/accounts/sessions/service.ts";
import { createSignIn } from "./domains/accounts/sign-in/create-sign-in.ts";
import { createMailService } from "./domains/operation/mails/service.ts";
import { createPostman } from "./domains/operation/mails/postman.ts";
import { createSmtp, mailSender } from "./domains/operation/mails/smtp.ts";
import { createOAuth } from "./domains/accounts/oauth/create-oauth.ts";
import { createSso } from "./domains/organizations/sso/create-sso.ts";
import { createSshKeys } from "./domains/accounts/ssh-keys/create-ssh-keys.ts";
import { composeAccountMail } from "./domains/accounts/emails/account-mails.ts";
import { createEmailService } from "./domains/accounts/emails/service.ts";
import { createPasswordReset } from "./domains/accounts/passwords/password-reset.ts";
import { createTeams } from "./domains/organizations/teams/create-teams.ts";
import { createBotTokenService } from "./domains/accounts/tokens/bot-tokens.ts";
import { createTokenService } from "./domains/accounts/tokens/service.ts";
import { createPasswords } from "./domains/accounts/passwords/passwords.ts";
import { createUserService } from "./domains/accounts/users/service.ts";
import { createStatistics, statisticsMarks } from "./domains/hosting/statistics/create-statistics.ts";
import { createStorageMeter } from "./domains/hosting/storage/meter.ts";
import { createWork } from "./domains/upkeep/work/create-work.ts";
import { createGitStore } from "./platform/git/storage/create-git-store.ts";
import { loadHostKeys } from "./platform/ssh/host-keys.ts";
import { createRelay } from "./platform/outbox/relay.ts";
import { createAddresses } from "./platform/addresses.ts";
import { systemClock } from "./platform/clock.ts";
import { openGeo } from "./platform/geo.ts";
import { loadInstanceKey } from "./platform/instance-key.ts";
import { createLogger } from "./platform/logger.ts";
import { createMetrics, observePool } from "./platform/metrics.ts";
import { openOutbound } from "./platform/outbound/outbound.ts";
import { openPresence } from "./platform/presence.ts";
import { createTemporal } from "./platform/temporal.ts";

export type Container = Awaited<ReturnType<typeof createContainer>>;

export async function createContainer(config: Config, options: ContainerOptions) {
  const { role } = options;
  const serverName = config.serverName ?? `${role}-${process.pid}`;
  const logger = createLogger({ name: serverName, level: config.logLevel });
  const clock = systemClock;
  const metrics = createMetrics();
  const addresses = createAddresses(config, {
    https: options.httpsPort ?? config.httpsPort,
    ssh: options.sshPort ?? config.sshPort,
  });
  const instanceKey = await loadInstanceKey(config.keyFile);
  const locate = await openGeo(role === "command" ? undefined : config.geoipFile);
  const db = createDatabase({
    url: config.database.url.reveal(),
    poolSize: role === "command" ? 2 : config.database.poolSize,
    applicationName: `forgeline-${serverName}`,
    logger,
  });
  observePool(metrics, db);

  const identity = createIdentityService({ ...config, db, logger, webUrl: addresses.webUrl });
  const limits = createLimits({ ...config, db, registry: metrics, logger });
  const repositoryAccess = createRepositoryAccess(db);
  const organizationAccess = createOrganizationAccess(db);
  const authorizer = createAuthorizer({ repositories: repositoryAccess, organizations: organizationAccess });
  const passwords = createPasswords(options.passwordCost);
  const sessions = createSessionService(db);
  const smtp = config.mail.smtpUrl && createSmtp(config.mail.smtpUrl, mailSender(config, addresses));
  const mail = createMailService({
    db,
    key: instanceKey.derive("mail"),
    addresses,
    sends: smtp !== undefined,
  });
  const composeOne = () => composeAccountMail({ db, mail, addresses, hasPages: config.webDir !== undefined });
  const postman = createPostman({ db, mail, smtp, composeOne, logger, registry: metrics });
  if (role === "server") postman.start();
  const oauth = createOAuth({ db, issuer: addresses.authUrl });
  const users = createUserService({ db, passwords, endSessions: sessions.endAll, mail, addresses });
  const organizationServices = createOrganizations({ db, users, addresses });
  const { organizations, members } = organizationServices;
  const botTokens = createBotTokenService({ db, authorizer });
  const teams = createTeams({ db, authorizer, users, organizations });
  const administration = createAdministration({
    db,
    endSessions: sessions.endAll,
    standIn: members.standIn,
    endGrantedTokens: (tx, userId) => oauth.grants.endAll(tx, "user", userId),
  });
  const emails = createEmailService({ db, mail, addresses });
  const passwordReset = createPasswordReset({ db, users });
  const keys = createSshKeys({ db, users, logger });
  const { rateLimits } = limits;
  const { webUrl } = addresses;
  const signInServices = createSignIn({ db, users, sessions, passwords, rateLimits, instanceKey, webUrl });
  const instanceSettings = createInstanceSettings({ db, config, webUrl: addresses.webUrl });
  const sso = createSso({
    ...organizationServices,
    db,
    key: instanceKey.derive("sso"),
    outbound: await openOutbound(config.outbound, logger),
    users,
    ...signInServices,
    sessions,
    instanceSettings,
    addresses,
    logger,
  });
  const tokens = createTokenService({ db, authorizer });

  const sshHostKeys = role === "server" ? await loadHostKeys(config) : null;
  const presence = await openPresence(config.dataDir);
  const gitStore = createGitStore(config, metrics, { instanceKey, presence, starter: options.starter });
  const { git, storage, files, history } = gitStore;
  const commits = createCommitService({ files, history, addresses, users });
  const contents = createContentsReader({ files, commits });
  const templates = { licenses: createLicenses(), gitignores: createGitignores() };
  const stored = { db, storage, runGit: git.run, presence, logger, registry: metrics };
  const storageMeter = createStorageMeter(stored);
  if (role === "server") storageMeter.start();
  const marks = [storageMeter.mark, statisticsMarks.mark];
  const repositories = createRepositoryService({
    db,
    storage,
    runGit: git.run,
    clock,
    users,
    templates,
    organizations: organizationAccess,
    marks,
  });
  // What follows from a push, written in the transaction that records it.
  const compiler = createCompilePool();
  const pipelines = createPipelineService({ db, files, compiler, addresses, logger });
  const { hasPassed } = pipelines;
  const protections = createProtections({ db, authorizer, storage, runGit: git.run, hasPassed });
  const branches = createBranchService({ files, history, commits, addresses, users, ...protections });
  const runMetrics = createRunMetrics(metrics, db);
  const runs = createRunService({ db, webUrl: addresses.webUrl, metrics: runMetrics, logger });
  const temporal = createTemporal(config.temporal);
  const relay = createRelay({ ...stored, temporal, taskQueue: config.temporal.taskQueue });
  if (role === "server") relay.start();
  const followers = [pipelines, storageMeter, statisticsMarks].map((each) => each.pushFollower());
  const pushes = createPushService({
    ...stored,
    adoptFirstBranch: repositories.adoptFirstBranch,
    followers,
    ...protections,
    ...keys,
    contentRules: createContentRules({ git, maxFileBytes: config.maxFileBytes }),
    maxRepositoryBytes: config.maxRepositoryBytes,
  });
  const objects = openObjectStore(config.objectStore);
  const lfs = createLfs({ db, objects, config, instanceKey, addresses, logger, metrics, storageMeter });
  const repositoryServices = createRepositoryServices({
    ...stored,
    git,
    files,
    users,
    organizations: organizationAccess,
    marks,
    cancelRuns: pipelines.cancelAll,
    markStatistics: statisticsMarks.mark,
    removeContent: [(repositoryId) => removeLogs({ db, objects }, repositoryId), lfs.removeContent],
    requireRoom: lfs.requireRoom,
    copyContent: lfs.copyObjects,
  });
  const sweepers = [...repositoryServices.repositorySweepers, lfs.keeper];
  if (role === "server") for (const sweeper of sweepers) sweeper.start();
  const upkeep = createMaintenance({ ...stored, pushes, config, temporal, measure: storageMeter.mark });
  const statistics = createStatistics({ ...stored, ...gitStore, config, temporal });
  if (role === "server") statistics.statisticsStarter.start();
  const onTemporal = { ...stored, ...upkeep, ...statistics, temporal, config };
  const backgroundWork = createWork({ ...onTemporal, instanceKey, addresses });
  const writing = { files, storage, runGit: git.run, pushes, users, clock };
  const contentsWriter = createContentsWriter(writing);
  const branchWriter = createBranchWriter({ ...writing, branches });
  if (role === "server") pushes.start();
  const key = instanceKey.derive("audit");
  const auditLog = createAuditLog({ db, objects, key, logger, registry: metrics });
  if (role === "server") auditLog.auditKeeper.start();
  const logs = createLogService({ db, objects, logger, registry: metrics });
  if (role === "server") logs.mover.start();

  return {
    config,
    role,
    serverName,
    logger,
    clock,
    metrics,
    addresses,
    instanceKey,
    db,
    identity,
    ...limits,
    repositoryAccess,
    authorizer,
    users,
    ...administration,
    ...organizationServices,
    botTokens,
    ...teams,
    sessions,
    ...signInServices,
    ...keys,
    sshHostKeys,
    presence,
    mail,
    emails,
    passwordReset,
    instanceSettings,
    tokens,
    ...oauth,
    ...sso,
    git,
    ...gitStore.exchanges,
    storage,
    files,
    history,
    commits,
    contents,
    contentsWriter,
    branches,
    branchWriter,
    templates,
    repositories,
    storageMeter,
    ...repositoryServices,
    collaborators: createCollaboratorService({ db, users }),
    ...upkeep,
    ...statistics,
    ...backgroundWork,
    ...protections,
    pushes,
    pipelines,
    runs,
    temporal,
    objects,
    lfs,
    ...auditLog,
    locate,
    logs,
    logTickets: createTicketService(db, instanceKey.derive("log_ticket")),
    runners: createRunnerService({ db, authorizer }),
    async close() {
      for (const sweeper of sweepers) await sweeper.close();
      await storageMeter.stop();
      await statistics.statisticsStarter.stop();
      await logs.close();
      await auditLog.auditKeeper.close();
      objects.close();
      pushes.close();
      await relay.stop();
      await postman.close();
      await temporal.close();
      await compiler.close();
      gitStore.close();
      await presence.close();
      identity.close();
      await limits.rateLimits.close();
      await db.close();
    },
  };
}

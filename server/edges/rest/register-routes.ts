/** Every REST operation of the instance: each noun binds its own, in one line here. */
import type { EdgeContainer } from "../../container.ts";
import { registerApprovalRoutes } from "./approvals/routes.ts";
import { registerArtifactRoutes } from "./artifacts/routes.ts";
import { registerCacheRoutes } from "./caches/routes.ts";
import { registerRunStatisticsRoutes } from "./run-statistics/routes.ts";
import { registerReportRoutes } from "./reports/routes.ts";
import { registerTestRoutes } from "./tests/routes.ts";
import { registerAnnouncementRoutes } from "./administration/announcement-routes.ts";
import { registerAuditRoutes } from "./audit/routes.ts";
import { registerBadgeRoutes } from "./badges/routes.ts";
import { registerBranchRoutes } from "./branches/routes.ts";
import { registerBranchProtectionRoutes } from "./branch-protections/routes.ts";
import { registerTagProtectionRoutes } from "./tag-protections/routes.ts";
import { registerCollaboratorRoutes } from "./collaborators/routes.ts";
import { registerCommentRoutes } from "./comments/routes.ts";
import { registerCommitRoutes } from "./commits/routes.ts";
import { registerCoverageRoutes } from "./coverage/routes.ts";
import { registerConcurrencyRoutes } from "./concurrency/routes.ts";
import { registerEnvironmentRoutes } from "./environments/routes.ts";
import { registerContentsRoutes } from "./contents/routes.ts";
import { registerIssueRoutes } from "./issues/routes.ts";
import { registerKeyRoutes } from "./keys/routes.ts";
import { registerUpkeepScheduleRoutes } from "./upkeep-schedules/routes.ts";
import { registerInstanceRoutes } from "./instance/routes.ts";
import { registerLimitRoutes } from "./limits/routes.ts";
import { registerLogRoutes } from "./logs/routes.ts";
import { registerLogSearchRoutes } from "./logs/search-routes.ts";
import { registerBotRoutes } from "./bots/routes.ts";
import { registerInvitationRoutes } from "./invitations/routes.ts";
import { registerMemberRoutes } from "./organization-members/routes.ts";
import { registerOwnerRoutes } from "./owners/routes.ts";
import { registerOrganizationRoutes } from "./organizations/routes.ts";
import { registerPipelineRoutes } from "./pipelines/routes.ts";
import { registerRepositoryRoutes } from "./repositories/routes.ts";
import { registerTransferRoutes } from "./repository-transfers/routes.ts";
import { registerRunnerDemandRoutes } from "./runners/demand.ts";
import { registerRunnerRoutes } from "./runners/routes.ts";
import { registerSessionRoutes } from "./sessions/routes.ts";
import { registerSignInRoutes } from "./sign-in/routes.ts";
import { registerTeamRoutes } from "./teams/routes.ts";
import { registerTemplateRoutes } from "./templates/routes.ts";
import { registerTokenRoutes } from "./tokens/routes.ts";
import { registerPasskeyRoutes } from "./passkeys/routes.ts";
import { registerDeployKeyRoutes } from "./deploy-keys/routes.ts";
import { registerSshKeyRoutes } from "./ssh-keys/routes.ts";
import { registerStatisticsRoutes } from "./statistics/routes.ts";
import { registerStorageRoutes } from "./storage/routes.ts";
import { registerWorkRoutes } from "./background-work/routes.ts";
import { registerTwoFactorRoutes } from "./two-factor/routes.ts";
import { registerMaintenanceRoutes } from "./maintenance/routes.ts";
import { registerMailRoutes } from "./mails/routes.ts";
import { registerEmailRoutes } from "./emails/routes.ts";
import { registerUserAdministrationRoutes } from "./administration/user-routes.ts";
import { registerOrganizationAdministrationRoutes } from "./administration/organization-routes.ts";
import { registerUserRoutes } from "./users/routes.ts";
import { registerOAuthRoutes } from "./oauth/routes.ts";
import { registerSsoRoutes } from "./sso/routes.ts";
import { registerLfsRoutes } from "./lfs/routes.ts";
import { registerAuditExportRoutes } from "./audit-exports/routes.ts";
import { registerScheduleRoutes } from "./schedules/routes.ts";
import { registerRetentionRoutes } from "./retention/routes.ts";
import { registerRunnerGroupRoutes } from "./runner-groups/routes.ts";
import { registerIdTokenRoutes } from "./id-tokens/routes.ts";
import { registerSigningKeyRoutes } from "./signing-keys/routes.ts";
import { registerVariableRoutes } from "./variables/routes.ts";
import { registerPipelineLimitRoutes } from "./pipeline-limits/routes.ts";
import { registerPrivilegeRoutes } from "./privileges/routes.ts";
import { registerForkSyncRoutes } from "./fork-syncs/routes.ts";
import { registerAuditStreamRoutes } from "./audit-streams/routes.ts";
import { registerMirrorRoutes } from "./mirrors/routes.ts";
import { registerPushMirrorRoutes } from "./push-mirrors/routes.ts";
import { registerSecretRoutes } from "./secrets/routes.ts";
import { registerShellRoutes } from "./shells/routes.ts";
import { registerWebhookRoutes } from "./webhooks/routes.ts";
import type { RouteBinder } from "./route-binder.ts";

// oxlint-disable-next-line house/max-own-lines -- a table: one line for each noun
export function registerApiRoutes(app: RouteBinder, container: EdgeContainer): void {
  const {
    config,
    platform,
    operation,
    accounts,
    organizations,
    hosting,
    pipelines,
    collaboration,
    automation,
    upkeep,
  } = container;
  const { addresses } = platform;
  registerInstanceRoutes(app, { ...operation, ...platform });
  registerLimitRoutes(app, operation);
  registerAuditRoutes(app, operation);
  registerUserRoutes(app, { ...accounts, ...hosting, addresses });
  registerUserAdministrationRoutes(app, { ...accounts, addresses });
  registerOrganizationAdministrationRoutes(app, { ...organizations, addresses });
  registerAnnouncementRoutes(app, { ...operation, addresses });
  registerKeyRoutes(app, { ...operation, addresses });
  registerStorageRoutes(app, hosting);
  registerWorkRoutes(app, upkeep);
  registerUpkeepScheduleRoutes(app, upkeep);
  registerLfsRoutes(app, hosting);
  registerEmailRoutes(app, { ...accounts, addresses });
  registerMailRoutes(app, operation);
  registerSignInRoutes(app, { ...accounts, addresses });
  registerSessionRoutes(app, { ...accounts, addresses });
  registerTwoFactorRoutes(app, { ...accounts, addresses });
  registerSshKeyRoutes(app, { ...accounts, addresses });
  registerPasskeyRoutes(app, { ...accounts, addresses });
  registerTokenRoutes(app, { ...accounts, addresses });
  registerOAuthRoutes(app, { ...accounts, addresses });
  registerOrganizationRoutes(app, { ...organizations, ...hosting, addresses });
  registerOwnerRoutes(app, { ...organizations, addresses });
  registerMemberRoutes(app, { ...organizations, addresses });
  registerInvitationRoutes(app, { ...organizations, addresses });
  registerTeamRoutes(app, { ...organizations, addresses });
  registerBotRoutes(app, { ...organizations, addresses });
  registerSsoRoutes(app, { ...organizations, addresses });
  registerRepositoryRoutes(app, { ...hosting, addresses });
  registerTransferRoutes(app, { ...hosting, addresses });
  registerMaintenanceRoutes(app, upkeep);
  registerCollaboratorRoutes(app, { ...hosting, addresses });
  registerDeployKeyRoutes(app, { ...hosting, addresses });
  registerTemplateRoutes(app, hosting.templates);
  registerContentsRoutes(app, { ...hosting, config });
  registerBranchRoutes(app, hosting);
  registerBranchProtectionRoutes(app, { ...hosting, addresses });
  registerTagProtectionRoutes(app, { ...hosting, addresses });
  registerCommitRoutes(app, hosting);
  registerStatisticsRoutes(app, hosting);
  registerIssueRoutes(app, collaboration);
  registerCommentRoutes(app, collaboration);
  registerApprovalRoutes(app, pipelines);
  registerRunStatisticsRoutes(app, pipelines);
  registerPipelineRoutes(app, pipelines);
  registerArtifactRoutes(app, pipelines);
  registerCacheRoutes(app, pipelines);
  registerReportRoutes(app, pipelines);
  registerCoverageRoutes(app, pipelines);
  registerTestRoutes(app, pipelines);
  registerConcurrencyRoutes(app, pipelines);
  registerEnvironmentRoutes(app, pipelines);
  registerShellRoutes(app, { ...pipelines, addresses });
  registerLogRoutes(app, { ...pipelines, ...platform });
  registerLogSearchRoutes(app, pipelines);
  registerBadgeRoutes(app, pipelines);
  registerRunnerDemandRoutes(app, pipelines);
  registerRunnerGroupRoutes(app, pipelines);
  registerRunnerRoutes(app, { ...pipelines, addresses, config });
  registerSigningKeyRoutes(app, pipelines);
  registerIdTokenRoutes(app, pipelines);
  registerVariableRoutes(app, pipelines);
  registerRetentionRoutes(app, pipelines);
  registerPipelineLimitRoutes(app, pipelines);
  registerPrivilegeRoutes(app, pipelines);
  registerMirrorRoutes(app, automation);
  registerPushMirrorRoutes(app, automation);
  registerForkSyncRoutes(app, automation);
  registerScheduleRoutes(app, automation);
  registerAuditExportRoutes(app, automation);
  registerAuditStreamRoutes(app, automation);
  registerWebhookRoutes(app, automation);
  registerSecretRoutes(app, pipelines);
}

/**
 * Whose each table or view is (`server/platform/db/schema.sql`): the folder of the server whose stores write it. Who else writes or
 * reads it by SQL of its own stands here too. `test/contract/table-owners.test.ts` holds this against the stores.
 */
import { collaborationTables } from "./collaboration-tables.ts";
import { pipelineTables } from "./pipeline-tables.ts";
import { accounts, audit, only, type TableRule } from "./table-rule.ts";

const byTriggers: TableRule = { writtenBy: "functions of the schema, so that no statement gets around them" };

const policy = "the level of somebody on a repository, or what they see of teams, is one expression in SQL";
const limits = "the limit of an account, or of its organizations, is one expression in SQL";
const grants = "lists of repositories are filtered and paged by what teams and organizations grant";
const snapshots = "the statement that writes an event copies the records that it shows";

const codeOwners = "who may own code is one expression in SQL";
const boards =
  "what a team says that is asked for a review, who is told of its mention, and who writes on its board, are expressions in SQL";
const approvers = "who may approve in a run, and is told of it, is one expression in SQL";

const assignable = "who can be assigned, and who may own code, are expressions in SQL";

/** By folder of `server/`. */
export const tableOwners: Readonly<Record<string, Readonly<Record<string, TableRule>>>> = {
  "platform/db": {
    schema_migrations: { writtenBy: "`server/platform/db/migrate.ts`" },
  },
  "platform/http": {
    idempotency_keys: only,
  },
  "platform/events": {
    event_followers: only,
    events: {
      alsoWrittenBy: {
        "domains/hosting/repositories": snapshots,
        "domains/organizations/organizations": snapshots,
      },
      readBy: ["automation"],
    },
  },
  "platform/outbox": {
    outbox: { readBy: ["upkeep"] },
  },
  "domains/operation/announcements": {
    announcements: only,
  },
  "domains/operation/audit": {
    audit_anchors: { readBy: ["automation"] },
    audit_former_owners: byTriggers,
    audit_permits: byTriggers,
    audit_removed: byTriggers,
    audit_heads: { ...byTriggers, readBy: ["automation"] },
    audit_links: { ...byTriggers, readBy: ["automation"] },
    audit_log: only,
    audit_log_default: { writtenBy: "PostgreSQL: it is a partition of `audit_log`" },
    audit_pending: byTriggers,
  },
  "domains/operation/keys": {
    key_rotations: only,
  },
  "domains/operation/instance": {
    instance_settings: only,
  },
  "domains/operation/limits": {
    rate_limit_overrides: only,
    rate_limit_windows: only,
  },
  "domains/operation/mails": {
    mails: { readBy: ["accounts"] },
  },
  "domains/accounts/emails": {
    account_tokens: only,
    mail_requests: only,
    user_emails: { readBy: ["collaboration", "hosting", "pipelines"] },
  },
  "domains/accounts/oauth": {
    oauth_apps: only,
    oauth_codes: only,
    oauth_families: only,
    oauth_grants: only,
    oauth_refresh_tokens: only,
  },
  "domains/accounts/gpg-keys": {
    gpg_keys: only,
  },
  "domains/accounts/owners": {
    owners: {
      readBy: ["automation", "collaboration", "hosting", "organizations", "pipelines", "upkeep"],
      alsoReadBy: {
        operation: `${audit}; limits are set by name, in one statement that also reads whether the plan allows them`,
      },
    },
  },
  "domains/accounts/passkeys": {
    passkey_challenges: only,
    passkeys: only,
  },
  "domains/accounts/sessions": {
    sessions: { readBy: ["pipelines"] },
  },
  "domains/accounts/sign-in": {
    login_addresses: only,
    login_attempts: only,
  },
  "domains/accounts/ssh-keys": {
    ssh_keys: only,
  },
  "domains/accounts/tokens": {
    access_tokens: {
      alsoWrittenBy: {
        "domains/accounts/oauth": "tokens of apps begin and end with what was granted to them",
      },
      readBy: ["pipelines"],
    },
  },
  "domains/accounts/two-factor": {
    recovery_codes: only,
    two_factor: only,
  },
  "domains/accounts/users": {
    users: {
      alsoWrittenBy: {
        "domains/accounts/emails":
          "the statement that verifies an address makes the first one primary; asking for it would be one more",
      },
      readBy: ["hosting", "organizations", "pipelines", "automation", "collaboration"],
      alsoReadBy: { operation: `${audit}; ${limits}`, policy },
    },
  },
  "domains/organizations/bots": {
    bots: { alsoReadBy: { accounts } },
  },
  "domains/organizations/invitations": {
    organization_invitations: only,
  },
  "domains/organizations/organization-members": {
    organization_members: {
      readBy: ["automation"],
      alsoReadBy: {
        hosting: grants,
        operation: `${audit}; ${limits}`,
        pipelines: approvers,
        policy,
        collaboration: assignable,
      },
    },
  },
  "domains/organizations/organizations": {
    organizations: {
      alsoReadBy: {
        hosting: "the room for large files is that of the owner's plan",
        operation: `${audit}; ${limits}`,
        pipelines: "whether its repositories share concurrency groups is read with the owner of a repository",
      },
    },
  },
  "domains/organizations/sso": {
    sso_arrivals: only,
    sso_configurations: only,
    sso_flows: only,
    sso_identities: only,
  },
  "domains/organizations/teams": {
    team_members: {
      alsoReadBy: {
        collaboration: boards,
        hosting: grants,
        pipelines: approvers,
        policy,
      },
    },
    team_names: {
      writtenBy: "nobody: it is a view of `teams` and `owners`",
      alsoReadBy: {
        collaboration: codeOwners,
        hosting: "rules for branches and tags name teams",
        operation: "entries of the audit log are looked for by a team's name",
        pipelines: approvers,
      },
    },
    team_repositories: {
      alsoReadBy: { collaboration: codeOwners, hosting: grants, pipelines: approvers, policy },
    },
    teams: {
      alsoReadBy: {
        collaboration: codeOwners,
        hosting: grants,
        operation: audit,
        pipelines: approvers,
        policy,
      },
    },
  },
  "domains/hosting/collaborators": {
    collaborators: { readBy: ["automation", "collaboration", "pipelines"], alsoReadBy: { policy } },
  },
  "domains/hosting/commits": {
    commit_signing_keys: only,
  },
  "domains/hosting/lfs": {
    lfs_locks: only,
    lfs_objects: only,
    lfs_quotas: only,
    lfs_uploads: only,
  },
  "domains/hosting/protections": {
    ref_protection_named: only,
    ref_protection_pushers: only,
    ref_protections: only,
  },
  "domains/hosting/pushes": {
    pushes: { readBy: ["automation", "upkeep"] },
  },
  "domains/hosting/repositories": {
    repositories: {
      alsoWrittenBy: { "domains/pipelines/runs": "a run takes its number in the statement that makes it" },
      readBy: ["automation", "collaboration", "pipelines", "upkeep"],
      alsoReadBy: {
        accounts: `${accounts}; ${policy}`,
        operation: `${audit}; ${limits}`,
        organizations:
          "what teams are granted is listed with it; an organization that has one is not deleted",
      },
    },
    repository_names: {
      writtenBy: "nobody: it is a view of `repositories` and `owners`",
      readBy: ["automation", "collaboration", "pipelines", "upkeep"],
      alsoReadBy: { accounts, operation: "entries of the audit log are looked for by a repository's name" },
    },
    repository_redirects: only,
  },
  "domains/hosting/repository-transfers": {
    repository_transfers: { alsoReadBy: { policy } },
  },
  "domains/hosting/statistics": {
    repository_commit_weeks: only,
    repository_contributor_weeks: only,
    repository_contributors: only,
    repository_dependencies: only,
    repository_languages: only,
    repository_manifests: only,
    repository_statistics: only,
    statistics_marks: only,
  },
  "domains/hosting/storage": {
    repository_measurements: only,
  },
  ...pipelineTables,
  ...collaborationTables,
  "domains/automation/mirrors": {
    kept_objects: only,
    mirror_syncs: only,
    mirrors: only,
  },
  "domains/automation/imports/archives": {
    import_archives: only,
    import_records: only,
  },
  "domains/automation/imports": {
    import_items: only,
    import_notes: only,
    import_requests: only,
    imports: only,
  },
  "domains/automation/fork-syncs": {
    fork_schedules: only,
    fork_syncs: only,
  },
  "domains/automation/audit-exports": {
    audit_exports: { readBy: ["upkeep"] },
  },
  "domains/automation/audit-streams": {
    audit_streams: { readBy: ["upkeep"] },
  },
  "domains/automation/schedules": {
    pipeline_schedules: only,
    schedule_marks: only,
    schedule_runs: only,
  },
  "domains/automation/traces": {
    run_traces: only,
  },
  "domains/automation/push-mirrors": {
    push_mirrors: only,
    pushed_refs: only,
  },
  "domains/automation/webhooks": {
    webhook_attempts: only,
    webhook_deliveries: only,
    webhooks: {
      readBy: ["upkeep"],
      alsoReadBy: { collaboration: "members of a team are told where no webhook would be" },
    },
  },
  "domains/upkeep/maintenance": {
    repository_maintenance: {
      alsoReadBy: { hosting: "a push is refused while maintenance removes what it may rely on" },
    },
  },
};

// Generated from schemas/ by `npm run generate`; do not edit.

/** From schemas/statistics/dependencies.ts. */
export const dependencyScopes = [
  "runtime",
  "development",
  "build",
  "optional",
  "peer",
] as const;

/** From schemas/pipeline-file/file-permissions.ts. */
export const jobPermissionLevels = [
  "read",
  "write",
] as const;

/** From schemas/repositories/resource.ts. */
export const mergeRequestPipelineKinds = [
  "head",
  "merged_result",
] as const;

/** From schemas/maintenance/resource.ts. */
export const maintenanceStates = [
  "idle",
  "waiting",
  "running",
  "failed",
  "damaged",
] as const;

/** From schemas/notifications/resource.ts. */
export const notificationReasons = [
  "mention",
  "team_mention",
  "review_requested",
  "approval_requested",
  "assign",
  "author",
  "auto_merge",
  "comment",
  "subscribed",
  "watching",
] as const;

/** From schemas/notifications/settings.ts. */
export const mailDigests = [
  "immediately",
  "hourly",
  "daily",
] as const;

/** From schemas/notifications/settings.ts. */
export const weekdays = [
  "mon",
  "tue",
  "wed",
  "thu",
  "fri",
  "sat",
  "sun",
] as const;

/** From schemas/subscriptions/resource.ts. */
export const subscribableKinds = [
  "issues",
  "merge_requests",
] as const;

/** From schemas/imports/resource.ts. */
export const importKinds = [
  "labels",
  "milestones",
  "issues",
  "merge_requests",
  "comments",
  "reviews",
] as const;

/** From schemas/imports/resource.ts. */
export const importSources = [
  "github",
  "gitlab",
] as const;

/** From schemas/reviews/resource.ts. */
export const reviewEvents = [
  "comment",
  "approve",
  "request_changes",
] as const;

/** From schemas/reviews/resource.ts. */
export const reviewStates = [
  "pending",
  "commented",
  "approved",
  "changes_requested",
  "dismissed",
] as const;

/** From schemas/merge-request-branches/resource.ts. */
export const updateMethods = [
  "merge",
  "rebase",
] as const;

/** From schemas/merge-requests/resource.ts. */
export const mergeRequestStates = [
  "open",
  "closed",
  "merged",
] as const;

/** From schemas/reactions/resource.ts. */
export const reactionNames = [
  "+1",
  "-1",
  "laugh",
  "hooray",
  "confused",
  "heart",
  "rocket",
  "eyes",
] as const;

/** From schemas/core/merge-strategies.ts. */
export const mergeStrategies = [
  "merge",
  "squash",
  "rebase",
  "fast_forward",
] as const;

/** From schemas/labels/resource.ts. */
export const labelColors = [
  "d73a4a",
  "e99695",
  "d93f0b",
  "fbca04",
  "fef2c0",
  "0e8a16",
  "a2eeef",
  "006b75",
  "1d76db",
  "c5def5",
  "5319e7",
  "d876e3",
] as const;

/** From schemas/milestones/routes.ts. */
export const milestoneFilters = [
  "open",
  "closed",
  "all",
] as const;

/** From schemas/pipeline-file/event.ts. */
export const eventsWithChanges = [
  "push",
  "merge_request",
  "mirror_sync",
  "fork_sync",
] as const;

/** From schemas/pipeline-file/event.ts. */
export const pipelineEvents = [
  "push",
  "merge_request",
  "tag",
  "manual",
  "api",
  "schedule",
  "mirror_sync",
  "fork_sync",
  "pipeline",
] as const;

/** From schemas/core/plans.ts. */
export const plans = [
  "free",
  "pro",
  "organization",
  "enterprise",
] as const;

/** From schemas/approvals/level.ts. */
export const approvalLevels = [
  "write",
  "maintain",
  "admin",
] as const;

/** From schemas/core/ref-rules.ts. */
export const pushLevels = [
  "write",
  "maintain",
  "admin",
  "none",
] as const;

/** From schemas/core/repository-levels.ts. */
export const repositoryLevels = [
  "read",
  "triage",
  "write",
  "maintain",
  "admin",
] as const;

/** From schemas/reports/resource.ts. */
export const annotationLevels = [
  "error",
  "warning",
  "notice",
] as const;

/** From schemas/tests/routes.ts. */
export const testSorts = [
  "name",
  "slowest",
  "failures",
] as const;

/** From schemas/tests/resource.ts. */
export const testStatuses = [
  "failed",
  "skipped",
  "passed",
] as const;

/** From schemas/pipelines/source.ts. */
export const runSources = [
  "push",
  "tag",
  "merge_request",
  "api",
  "schedule",
  "manual",
  "mirror_sync",
  "fork_sync",
  "pipeline",
] as const;

/** From schemas/webhooks/resource.ts. */
export const deliveryStatuses = [
  "pending",
  "retrying",
  "delivered",
  "failed",
] as const;

/** From schemas/team-routing/resource.ts. */
export const teamReasons = [
  "team_mention",
  "review_requested",
] as const;

/** From schemas/team-routing/resource.ts. */
export const routingTargets = [
  "members",
  "address",
  "webhook",
  "nobody",
] as const;

/** From schemas/events/event-kind.ts. */
export const webhookEvents = [
  "push",
  "tag",
  "merge_request",
  "merge_request_review",
  "issue",
  "comment",
  "pipeline",
  "approval",
  "deployment",
  "repository",
  "package",
  "member",
  "team_notification",
] as const;

/** From schemas/upkeep-schedules/resource.ts. */
export const upkeepScheduleNames = [
  "maintain_repositories",
  "remove_deleted_repositories",
  "remove_abandoned_uploads",
  "find_lost_directories",
  "find_outdated_statistics",
  "remove_old_events",
  "remove_old_notifications",
  "remove_unused_keys",
  "check_mirrors",
  "check_push_mirrors",
  "remove_old_syncs",
  "check_fork_schedules",
  "remove_old_fork_syncs",
  "remove_old_schedule_runs",
  "remove_old_imports",
  "remove_old_audit_exports",
  "remove_expired_audit_entries",
  "remove_old_artifacts",
  "remove_unused_attachments",
  "rotate_id_token_keys",
  "remove_old_caches",
  "remove_old_reports",
  "remove_old_runs",
  "end_unapproved_runs",
] as const;

/** From schemas/background-work/routes.ts. */
export const workKinds = [
  "pipeline_run",
  "repository_upkeep",
  "repository_statistics",
  "event_follower",
  "webhook_retries",
  "key_rotation",
  "upkeep_task",
  "mirror_sync",
  "push_mirror_sync",
  "fork_sync",
  "repository_import",
  "audit_export",
  "audit_stream",
] as const;

/** From schemas/background-work/routes.ts. */
export const workStates = [
  "running",
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "terminated",
  "unsuccessful",
] as const;

/** From schemas/search/resource.ts. */
export const maxQueryChars = 500;

/** From schemas/boards/resource.ts. */
export const maxColumnLimit = 9999;

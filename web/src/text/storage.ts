/** Words of plan and storage: of a person, of an organization, of a repository. */
export const text = {
  title: "Plan and storage",
  ownLead: "What your plan includes, and how much your repositories use.",
  organizationLead: "What the organization's plan includes, and how much its repositories use.",
  plan: "Plan",
  planIs: (plan: string) => `The plan is ${plan}.`,
  planHint: "An administrator of the instance sets it.",
  lfsStorage: "Git LFS storage",
  lfsCustom: "Set by an administrator of the instance.",
  lfsHint:
    "Each different object counts once, also of deleted repositories that can be restored, and space reserved for uploads.",
  kept: "Stored data",
  keptHint:
    "Bytes in storage. Repositories are measured seconds after a push or an upload, logs within a day.",
  total: "Total",
  git: "Git",
  lfs: "Git LFS",
  logs: "Logs",
  attachments: "Attachments",
  teamAttachments: "Attachments of teams",
  repositories: "Repositories",
  deleted: "Deleted ones that can be restored",
  deletedBadge: "deleted",
  unmeasured: "Not measured yet",
  measuredSince: "Oldest measurement",
  byRepository: "By repository",
  repository: "Repository",
  measured: "Measured",
  notYet: "not yet",
  none: "No repository yet",
  noneHint: "The storage used by each repository is listed here, the largest first.",
  limits: "Rate limits",
  ownLimitsHint: "Requests of each kind. Higher limits from your organizations are included.",
  organizationLimitsHint:
    "Requests of each member, of each bot, and of the jobs of each repository. Limits are not shared between them.",
  noLimits: "This instance limits no requests.",
  kind: "Kind",
  limit: "Limit",
  setBy: "Set",
  custom: "for this organization",
  ofInstance: "by the instance",
  noLimit: "none",
  perWindow: (limit: string, seconds: number) =>
    seconds === 3600
      ? `${limit} per hour`
      : seconds === 60
        ? `${limit} per minute`
        : `${limit} per ${seconds} seconds`,
  countedBy: (seconds: number) =>
    seconds === 3600
      ? "Counted by the hour."
      : seconds === 60
        ? "Counted by the minute."
        : `Counted by ${seconds} seconds.`,
  kinds: {
    core: "REST",
    search: "Search",
    git: "Git",
    graphql: "GraphQL points",
    packages: "Packages",
    web: "Pages in the browser",
    auth: "Signing in",
    webhook: "Webhooks",
    sockets: "Opening logs",
    public: "What the instance says of itself",
  },
  gitFull: "When it is exceeded, no new content is accepted.",
} as const;

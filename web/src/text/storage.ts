/** Words of plan and storage: of a person, of an organization, of a repository. */
export const text = {
  title: "Plan and storage",
  ownLead: "What your plan gives you, and what your repositories take.",
  organizationLead: "What the organization's plan gives it, and what its repositories take.",
  plan: "Plan",
  planIs: (plan: string) => `The plan is ${plan}.`,
  planHint: "An administrator of the instance sets it.",
  lfsStorage: "Git LFS storage",
  lfsCustom: "Set by an administrator of the instance.",
  lfsHint:
    "Each different object counts once, also of deleted repositories that can be restored, and space reserved for uploads.",
  kept: "What is kept",
  keptHint:
    "Bytes as they lie in storage. Repositories are measured seconds after a push, logs within a day.",
  total: "Total",
  git: "Git",
  lfs: "Git LFS",
  logs: "Logs",
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
  noneHint: "What repositories take stands here, the largest first.",
  limits: "Rate limits",
  ownLimitsHint: "Requests of each kind. What organizations give you is in it.",
  organizationLimitsHint:
    "Requests of each member, of each bot, and of the jobs of each repository; they do not share them.",
  noLimits: "This instance limits no requests.",
  kind: "Kind",
  limit: "Limit",
  setBy: "Set",
  custom: "for this organization",
  ofInstance: "by the instance",
  noLimit: "none",
  perWindow: (limit: string, seconds: number) =>
    seconds === 3600
      ? `${limit} an hour`
      : seconds === 60
        ? `${limit} a minute`
        : `${limit} in ${seconds} seconds`,
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
  },
  gitFull: "With more than this it takes no new content.",
} as const;

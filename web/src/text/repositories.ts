/** Words around a repository. */
export const text = {
  parts: "Repository",
  code: "Code",
  pipelines: "Pipelines",
  commits: "Commits",
  branches: "Branches",
  tags: "Tags",
  insights: "Insights",
  settings: "Settings",
  archived: "archived",
  fork: "fork",
  forkedFrom: "Forked from",
  archivedNotice: "This repository is archived: everything can be read, nothing can be changed.",
} as const;

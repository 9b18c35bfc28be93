/** Words of the pages of users. */
export const text = {
  repositories: "Repositories",
  repository: "Repository",
  description: "Description",
  visibility: "Visibility",
  changed: "Changed",
  bot: "bot",
  since: "here since",
  edit: "Edit profile",
  none: (name: string) => `${name} has no repository that you may see`,
  ownNone: "No repository yet",
  ownNoneHint: "Create one and push to it.",
  create: "New repository",
} as const;

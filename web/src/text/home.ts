/** Words of the start page. */
export const text = {
  title: "Home",
  welcome: "Git hosting with pipelines that do not get lost",
  welcomeLead:
    "Forgeline hosts Git repositories and runs their pipelines: every line of every log, live and later, and no run that vanishes.",
  repositories: "Your repositories",
  repository: "Repository",
  visibility: "Visibility",
  changed: "Changed",
  lastRun: "Last run",
  noRepositories: "No repository yet",
  firstSteps: [
    "Create a repository; its page says how to push to it.",
    "Put a pipeline file, .forgeline.yml, into it: the list of its pipelines has one to begin with.",
    "Push. The first run starts automatically, and its logs appear line by line.",
  ],
} as const;

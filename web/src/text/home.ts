/** Words of the start page. */
export const text = {
  title: "Home",
  welcome: "Git hosting with pipelines that do not get lost",
  welcomeLead:
    "Forgeline hosts Git repositories and runs their pipelines: every line of every log, live and later, and no run that vanishes.",
  repositories: "Your repositories",
  noRepositories: "No repository yet",
  noRepositoriesHint:
    "Create one, push to it, and put a pipeline file into it: your first run starts by itself.",
} as const;

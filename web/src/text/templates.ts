/** Words about the templates of a pipeline file. */
export const text = {
  title: "Templates",
  ofRun: "of this commit",
  at: (commit: string) => `at ${commit}`,
} as const;

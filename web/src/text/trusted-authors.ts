/** Words around people whose merge requests from forks run without being asked about. */
export const text = {
  title: "Trusted authors",
  lead: "Merge requests of these people run from forks without an approval, and without secrets. Whoever approves such a run can add its author.",
  none: "Nobody is trusted",
  noneHint:
    "People with Write are, without being listed. Runs of everybody else from forks wait for an approval.",
  author: "Author",
  by: "Trusted by",
  nobody: "a deleted account",
  until: "Until",
  remove: (username: string) => `Ask again about ${username}?`,
  removeHint: "Runs of new commits from a fork wait for an approval again.",
} as const;

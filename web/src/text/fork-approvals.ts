/** Words around a run whose commit comes from a fork. */
export const text = {
  title: "Changes from a fork",
  mergeRequest: (number: number) => `!${number}`,
  ofCommit: (author: string, commit: string) => `by ${author}, commit ${commit}`,
  what: "The run waits until somebody with Write approves this commit. Look at its pipeline files, and at the scripts that they run. It gets no secrets, and a token that only reads.",
  approve: "Approve this commit",
  trust: (author: string) => `Approve, and trust ${author} for 90 days`,
  saidTrusted: (author: string) =>
    `You approved it. Merge requests of ${author} are not asked about for 90 days.`,
} as const;

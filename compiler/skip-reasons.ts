/** Why something in a run is skipped, or an event makes no run: a sentence for people for each reason. */
export const skipSentences = {
  when: (clause) => `Its condition is not met: ${clause}.`,
  need_skipped: (job) => `It needs ${job}, which was skipped.`,
  need_failed: (job) => `It needs ${job}, which did not succeed.`,
  stage_skipped: (stage) =>
    stage ? `Stage ${stage} was not reached or did not run.` : "Its stage did not run.",
  matrix_empty: () => "Its matrix has no combinations.",
  matrix_changed: () => "This combination is not in the matrix any more.",
  merge_request: (number) => `The merge request ${number} runs the file for this commit.`,
  pushed: (run) => `The run ${run} of the push has run the file for this commit.`,
  merge_conflict: () =>
    "It runs on the merged result, and both branches change the same lines. A run follows once they do not.",
  skip_ci: () => "The commit message asks to skip the run.",
} as const satisfies Record<string, (detail: string) => string>;

/** What `on` says against an event. */
const triggerSentences: Readonly<Record<string, string>> = {
  event: 'The file does not list this event under "on".',
  branches: 'The file lists other branches under "on" ("branches").',
  branches_ignore: 'The file excludes this branch under "on" ("branches_ignore").',
  paths: 'No changed file is one that the file lists under "on" ("paths").',
  paths_ignore: 'All changed files are among those that the file ignores under "on" ("paths_ignore").',
  targets: 'The file lists other target branches under "on" ("targets").',
  types: 'The file lists other changes of a merge request under "on" ("types").',
  tags: 'The file does not list this tag under "on" ("tags").',
};

/** Of `when:CLAUSE`, `on:WHAT` and the like; an unknown reason is shown as it is. */
export function skipSentence(reason: string): string {
  const split = reason.indexOf(":");
  const word = split < 0 ? reason : reason.slice(0, split);
  const detail = split < 0 ? "" : reason.slice(split + 1);
  if (word === "on") return triggerSentences[detail] ?? reason;
  return Object.entries(skipSentences).find(([name]) => name === word)?.[1](detail) ?? reason;
}

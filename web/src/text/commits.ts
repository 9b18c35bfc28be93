/** Words of commits and their changes. */
const commitCount = (value: number) => (value === 1 ? "1 commit" : `${value} commits`);

export const text = {
  files: "Files",
  history: "History",
  wholeMessage: "Message",
  commitNamed: (sha: string) => `Commit ${sha}`,
  filesAt: (sha: string) => `Files at ${sha}`,
  filesAtThis: "Files at this commit",
  commitPages: "Pages of commits",
  pastEnd: "There are no further commits.",
  toFirstPage: "Go to the first page",
  noCommits: "No commit changed this.",
  author: "By",
  committer: "committed by",
  commit: "Commit",
  parent: "Parent",
  parents: "Parents",
  compare: "Compare",
  compareTitle: "Compare",
  compared: (base: string, head: string) => `${base} … ${head}`,
  compareHint: "Choose two branches, tags or commits to see what the second has that the first does not.",
  base: "From",
  head: "To",
  notComparable: "One of the two is not a branch, tag or commit of this repository.",
  identical: (base: string, head: string) => `${base} and ${head} are at the same commit.`,
  aheadBehind: (
    names: { head: string; base: string },
    { ahead, behind }: { ahead: number; behind: number },
  ) => `${names.head} is ${commitCount(ahead)} ahead of ${names.base} and ${commitCount(behind)} behind it.`,
  commits: "Commits",
  newestCommits: (count: number) => `The newest ${count} are shown.`,
} as const;

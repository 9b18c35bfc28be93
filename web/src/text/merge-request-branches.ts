/** Words of what becomes of branches of merge requests. */
export const text = {
  behind: (target: string) => `The source branch lacks newer commits of ${target}.`,
  update: "Update branch",
  updateAs: "How to update the branch",
  methods: {
    merge: (target: string) => `Merge ${target} into it`,
    rebase: (target: string) => `Rebase it on ${target}`,
  },
  updated: "The source branch is up to date.",
  restore: "Restore branch",
  restored: (branch: string) => `${branch} is back.`,
  revert: "Revert",
  revertTitle: "Revert this merge request?",
  revertLead: (target: string) =>
    `A new branch from ${target} gets one commit that undoes all of it, and a merge request of that branch is opened.`,
  revertSubmit: "Open merge request",
  cherryPick: "Cherry-pick",
  cherryPickTitle: "Bring these changes to another branch",
  cherryPickLead:
    "A new branch gets one commit with all changes, and a merge request of that branch is opened.",
  target: "To branch",
  branch: "Name of the new branch",
  branchHint: "Chosen for you if you leave it empty.",
  opened: "Merge request created.",
};

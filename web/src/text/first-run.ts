/** Words of what leads to the first run of a repository. */
export const text = {
  firstTitle: "No run yet",
  firstLead:
    "Each push of a commit with a pipeline file starts a run. Save this as .forgeline.yml at the top of the repository:",
  firstPush: "Then push it:",
  firstWrite: "Write it here",
  firstFile: ".forgeline.yml",
  firstCommands: "Commands that push it",
  firstReader: "People with write access to this repository can start one.",
  documentation: "What a pipeline file can say",
} as const;

/** For users without a pipeline: small, and it works on every image. */
export const firstPipeline = `image: alpine:3.22
steps:
  - echo "Hello from $CI_BRANCH"
  - ls -l
`;
export const firstPush = `git add .forgeline.yml
git commit -m "Add a pipeline"
git push
`;

/** Variables of other systems in scripts, as the ones that our steps find. */

const gitlab: Readonly<Record<string, string>> = {
  CI_PROJECT_DIR: "CI_WORKSPACE",
  CI_PROJECT_PATH: "CI_PROJECT",
  CI_PROJECT_URL: "CI_REPO_URL",
  CI_REPOSITORY_URL: "CI_REPO_URL",
  CI_COMMIT_BRANCH: "CI_BRANCH",
  CI_COMMIT_TAG: "CI_TAG",
  CI_COMMIT_BEFORE_SHA: "CI_BEFORE_SHA",
  CI_COMMIT_REF_NAME: "CI_TAG:-$CI_BRANCH",
  CI_PIPELINE_SOURCE: "CI_EVENT",
  CI_PIPELINE_IID: "CI_PIPELINE_NUMBER",
  CI_JOB_NAME: "CI_JOB",
  CI_JOB_STAGE: "CI_STAGE",
  CI_MERGE_REQUEST_IID: "CI_MR_NUMBER",
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "CI_MR_SOURCE",
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "CI_MR_TARGET",
  CI_NODE_INDEX: "NODE_INDEX",
  CI_NODE_TOTAL: "NODE_TOTAL",
  GITLAB_USER_LOGIN: "CI_ACTOR",
};
const woodpecker: Readonly<Record<string, string>> = {
  CI_REPO: "CI_PROJECT",
  CI_REPO_CLONE_URL: "CI_REPO_URL",
  CI_REPO_DEFAULT_BRANCH: "CI_DEFAULT_BRANCH",
  CI_COMMIT_BRANCH: "CI_BRANCH",
  CI_COMMIT_TAG: "CI_TAG",
  CI_COMMIT_REF: "CI_REF",
  CI_COMMIT_PULL_REQUEST: "CI_MR_NUMBER",
  CI_COMMIT_SOURCE_BRANCH: "CI_MR_SOURCE",
  CI_COMMIT_TARGET_BRANCH: "CI_MR_TARGET",
  CI_PIPELINE_EVENT: "CI_EVENT",
  CI_PREV_COMMIT_SHA: "CI_BEFORE_SHA",
  CI_COMMIT_AUTHOR: "CI_ACTOR",
  CI_PIPELINE_AUTHOR: "CI_ACTOR",
};
const bitbucket: Readonly<Record<string, string>> = {
  BITBUCKET_BRANCH: "CI_BRANCH",
  BITBUCKET_TAG: "CI_TAG",
  BITBUCKET_COMMIT: "CI_COMMIT_SHA",
  BITBUCKET_BUILD_NUMBER: "CI_PIPELINE_NUMBER",
  BITBUCKET_PIPELINE_UUID: "CI_PIPELINE_ID",
  BITBUCKET_CLONE_DIR: "CI_WORKSPACE",
  BITBUCKET_REPO_FULL_NAME: "CI_PROJECT",
  BITBUCKET_PR_ID: "CI_MR_NUMBER",
  BITBUCKET_PR_DESTINATION_BRANCH: "CI_MR_TARGET",
};
const tables = { gitlab, woodpecker, bitbucket } as const;

/** What the server gives every step. */
const ours: ReadonlySet<string> = new Set(
  "PROJECT REPO_URL WORKSPACE PIPELINE_ID PIPELINE_NUMBER PIPELINE_URL EVENT REF BRANCH TAG DEFAULT_BRANCH COMMIT_SHA COMMIT_SHORT_SHA COMMIT_MESSAGE COMMIT_AUTHOR BEFORE_SHA ACTOR STAGE JOB JOB_ID JOB_TOKEN ATTEMPT MR_NUMBER MR_SOURCE MR_TARGET OUTPUT SUMMARY API_URL"
    .split(" ")
    .map((name) => `CI_${name}`),
);

/** The script with our names; `left` are variables of the other system that have no counterpart. */
export function renameShellVariables(
  script: string,
  system: keyof typeof tables,
): { script: string; left: string[] } {
  const table = tables[system];
  const renamed = script.replace(
    /(\$env:|\$)(\{?)([A-Z][A-Z0-9_]*)/g,
    (...[all, mark, brace, name]: string[]) => {
      const found = Object.hasOwn(table, name ?? "") ? table[name ?? ""] : undefined;
      if (found === undefined) return all ?? "";
      if (!found.includes(":")) return `${mark}${brace}${found}`;
      // A default can only be given in braces, and only where there is none yet.
      return brace === "" && mark === "$" ? `\${${found}}` : (all ?? "");
    },
  );
  const prefix = system === "bitbucket" ? /\$\{?(BITBUCKET_[A-Z0-9_]+)/g : /\$\{?((?:CI|GITLAB)_[A-Z0-9_]+)/g;
  const left = [...renamed.matchAll(prefix)]
    .map(([, name = ""]) => name)
    .filter((name) => !ours.has(name) && !name.startsWith("CI_MATRIX_"));
  return { script: renamed.replaceAll("${{", "$ {{"), left: [...new Set(left)] };
}

/** Variables of other systems as the ones that our steps find. What is no name alone has an operation, and needs braces. */
import { execVariable, stepVariables } from "@forgeline/schemas/pipeline-file/step-variables.ts";

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
  CI_REPO_NAME: "CI_PROJECT#*/",
  CI_REPO_OWNER: "CI_PROJECT%/*",
  CI_REPO_CLONE_URL: "CI_REPO_URL",
  CI_REPO_DEFAULT_BRANCH: "CI_DEFAULT_BRANCH",
  CI_COMMIT_BRANCH: "CI_BRANCH",
  CI_COMMIT_TAG: "CI_TAG",
  CI_COMMIT_REF: "CI_REF",
  CI_PIPELINE_EVENT: "CI_EVENT",
  CI_PREV_COMMIT_SHA: "CI_BEFORE_SHA",
  CI_COMMIT_PULL_REQUEST: "CI_MR_NUMBER",
  CI_COMMIT_SOURCE_BRANCH: "CI_MR_SOURCE",
  CI_COMMIT_TARGET_BRANCH: "CI_MR_TARGET",
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
export const variablesBySystem = { gitlab, woodpecker, bitbucket } as const;

/** Our way to read it in a shell, such as `$CI_BRANCH`. */
export function counterpartOf(name: string): string | undefined {
  const found = Object.values(variablesBySystem).find((table) => Object.hasOwn(table, name))?.[name];
  if (found === undefined) return undefined;
  return isName(found) ? `$${found}` : `\${${found}}`;
}

/** Whether it can stand without braces. */
export function isName(text: string): boolean {
  return /^\w+$/.test(text);
}

const given: ReadonlySet<string> = new Set([...stepVariables, execVariable]);

/** Whether a step can find it in its environment. */
export function isStepVariable(name: string): boolean {
  return given.has(name) || name.startsWith("CI_MATRIX_");
}

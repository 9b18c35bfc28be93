/** Variables of GitHub's runner in scripts, as the ones that our steps find. */

const names: Readonly<Record<string, string>> = {
  GITHUB_OUTPUT: "CI_OUTPUT",
  GITHUB_STEP_SUMMARY: "CI_SUMMARY",
  GITHUB_SHA: "CI_COMMIT_SHA",
  GITHUB_REF: "CI_REF",
  GITHUB_REPOSITORY: "CI_PROJECT",
  GITHUB_WORKSPACE: "CI_WORKSPACE",
  GITHUB_RUN_ID: "CI_PIPELINE_ID",
  GITHUB_RUN_NUMBER: "CI_PIPELINE_NUMBER",
  GITHUB_RUN_ATTEMPT: "CI_ATTEMPT",
  GITHUB_ACTOR: "CI_ACTOR",
  GITHUB_EVENT_NAME: "CI_EVENT",
  GITHUB_JOB: "CI_JOB",
};

/** What stands in the place of `$NAME` and `${NAME}` in a shell that knows operations. */
const values: Readonly<Record<string, string>> = {
  GITHUB_REF_NAME: "${CI_TAG:-$CI_BRANCH}",
  GITHUB_REPOSITORY_OWNER: "${CI_PROJECT%/*}",
  RUNNER_TEMP: "/tmp",
  RUNNER_OS: "Linux",
};

const advice: Readonly<Record<string, string>> = {
  GITHUB_ENV: "set the variable in each step, or write it to CI_OUTPUT and pass it on with env",
  GITHUB_PATH: "extend PATH in each step that needs it",
  GITHUB_REF_NAME: "use CI_BRANCH and CI_TAG, of which a run has one",
  RUNNER_TEMP: "use a directory of the image, such as /tmp",
  RUNNER_TOOL_CACHE: "install the tool in a step, or choose an image that has it",
  RUNNER_OS: "write the name, or ask with uname -s",
  RUNNER_ARCH: "ask with uname -m",
};

/** What to do about a variable that has no counterpart. */
export function variableAdvice(name: string): string {
  const known = Object.hasOwn(advice, name) ? advice[name] : undefined;
  return known ?? "see docs/pipelines/file.md for the variables of steps";
}

/** Names of GitHub's variables as ours; `left` are those that have no counterpart. `isLinux`: the job's machine is. */
export function renameVariables(
  script: string,
  { shell, isLinux }: { shell: string; isLinux: boolean },
): { script: string; left: string[] } {
  const named = script.replace(/\bGITHUB_[A-Z_]+\b/g, (name) =>
    Object.hasOwn(names, name) ? (names[name] ?? name) : name,
  );
  const renamed = ["bash", "sh"].includes(shell)
    ? named.replace(/\$(?:\{([A-Z_]+)\}|([A-Z_]+)\b)/g, (all: string, braced?: string, bare?: string) => {
        const name = braced ?? bare ?? "";
        if (!Object.hasOwn(values, name) || (name === "RUNNER_OS" && !isLinux)) return all;
        return values[name] ?? all;
      })
    : named;
  const left = [...renamed.matchAll(/\b(?:GITHUB|RUNNER)_[A-Z_]+\b/g)].map(([name]) => name);
  return { script: renamed, left: [...new Set(left)].filter((name) => isGitHubs(name)) };
}

/** Not the token, which has a note of its own, and not what only looks like a variable of the runner. */
function isGitHubs(name: string): boolean {
  if (name.startsWith("GITHUB_")) return name !== "GITHUB_TOKEN";
  return Object.hasOwn(advice, name) || ["RUNNER_NAME", "RUNNER_DEBUG", "RUNNER_ENVIRONMENT"].includes(name);
}

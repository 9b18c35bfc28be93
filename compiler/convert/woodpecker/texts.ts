/** `${VARIABLE}` in values of Woodpecker, which it replaces before anything runs. */
import { CannotConvert } from "../cannot.ts";

const known: Readonly<Record<string, string>> = {
  CI_COMMIT_SHA: "sha",
  CI_COMMIT_BRANCH: "branch",
  CI_COMMIT_TAG: "tag",
  CI_REPO: "repo.full_name",
  CI_REPO_NAME: "repo.name",
  CI_REPO_OWNER: "repo.owner",
  CI_REPO_DEFAULT_BRANCH: "repo.default_branch",
  CI_PIPELINE_NUMBER: "pipeline.number",
};

/** Throws `CannotConvert`. */
export function translateValue(text: string, matrix: ReadonlySet<string>): string {
  return text.replaceAll("${{", "$ {{").replace(/\$\{([^}]*)\}/g, (all, name: string) => {
    if (matrix.has(name)) return `\${{ matrix.${name} }}`;
    if (Object.hasOwn(known, name)) return `\${{ ${known[name]} }}`;
    if (/^[A-Z_][A-Z0-9_]*$/.test(name) && !name.startsWith("CI_"))
      return `\${{ coalesce(vars.${name}, '') }}`;
    throw new CannotConvert(`${all} has no counterpart`, "work it out in the script");
  });
}

/** Values and scripts of Woodpecker: what it replaces before anything runs becomes expressions in values, and variables in scripts. */
import { CannotConvert } from "../cannot.ts";
import { isInSingleQuotes } from "../shell-quotes.ts";
import { renameShellVariables } from "../shell-variables.ts";
import { textLiteral } from "../typed.ts";
import { defaultOf, splitSubstitutions, type Substitution } from "./substitution.ts";

const known: Readonly<Record<string, string>> = {
  CI_COMMIT_SHA: "sha",
  CI_COMMIT_BRANCH: "branch",
  CI_COMMIT_TAG: "tag",
  CI_COMMIT_AUTHOR: "actor",
  CI_PIPELINE_AUTHOR: "actor",
  CI_REPO: "repo.full_name",
  CI_REPO_NAME: "repo.name",
  CI_REPO_OWNER: "repo.owner",
  CI_REPO_DEFAULT_BRANCH: "repo.default_branch",
  CI_PIPELINE_NUMBER: "pipeline.number",
};

/** Throws `CannotConvert`. */
export function translateValue(text: string, matrix: ReadonlySet<string>): string {
  return splitSubstitutions(text)
    .map((part) =>
      part.kind === "text" ? part.text.replaceAll("${{", "$ {{") : `\${{ ${expressionOf(part, matrix)} }}`,
    )
    .join("");
}

function expressionOf(part: Substitution, matrix: ReadonlySet<string>): string {
  const { all, name, operation } = part;
  const fallback = defaultOf(operation);
  if (operation !== "" && fallback === null)
    throw new CannotConvert(`${all} has no counterpart`, "work it out in the script");
  const ours = nameOf(name, matrix);
  if (ours === null) throw new CannotConvert(`${all} has no counterpart`, "work it out in the script");
  if (fallback === null && !ours.startsWith("vars.")) return ours;
  return `coalesce(${ours}, ${textLiteral(fallback ?? "").text})`;
}

/** Names that are neither Woodpecker's nor of the matrix come from its server's settings, or from whoever starts a run. */
function nameOf(name: string, matrix: ReadonlySet<string>): string | null {
  if (matrix.has(name)) return `matrix.${name}`;
  if (Object.hasOwn(known, name)) return known[name] ?? null;
  return name.startsWith("CI_") ? null : `vars.${name}`;
}

export interface Script {
  run: string;
  problems: CannotConvert[];
}

/** Commands with our names for variables, as the shell reads them. */
export function translateScript(commands: string): Script {
  const problems: CannotConvert[] = [];
  let plain = "";
  for (const part of splitSubstitutions(commands)) {
    if (part.kind === "text") plain += part.text;
    else {
      const word = shellWord(part, problems);
      plain += isInSingleQuotes(plain) ? `'"${word}"'` : word;
    }
  }
  const { script, left } = renameShellVariables(plain, "woodpecker");
  for (const variable of left)
    problems.push(
      new CannotConvert(
        `${variable} is a variable of Woodpecker`,
        "see docs/pipelines/file.md for the variables of steps",
      ),
    );
  if (/\$\{?CI_PIPELINE_EVENT\b/.test(plain) && /\b(?:cron|release|deployment|pull_request)/.test(plain))
    problems.push(
      new CannotConvert(
        "the script compares names of events, and some are others here",
        "CI_EVENT is push, tag, manual, api or schedule",
      ),
    );
  return { run: script, problems };
}

/** These operations are those of every shell; the others are those of bash. */
const inEveryShell = /^(?:$|#$|:?-|:=|##?|%%?)/;

function shellWord({ all, name, operation }: Substitution, problems: CannotConvert[]): string {
  if (name === "CI_COMMIT_SHA" && operation === ":0:8") return "${CI_COMMIT_SHORT_SHA}";
  const fallback = defaultOf(operation);
  // Woodpecker takes the default for an empty value too.
  if (fallback !== null) return `\${${name}:-${fallback}}`;
  if (operation === "#") return `\${#${name}}`;
  if (!inEveryShell.test(operation))
    problems.push(
      new CannotConvert(
        `${all} was replaced before the shell saw it, and now needs bash`,
        "choose an image with bash, or work it out with another program",
      ),
    );
  return `\${${name}${operation}}`;
}

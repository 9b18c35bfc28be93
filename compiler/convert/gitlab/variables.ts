/** GitLab's variables outside of scripts, where ours has expressions. */
import { CannotConvert } from "../cannot.ts";
import { condition, literalOf, textLiteral, type Typed } from "../typed.ts";
import type { Variables } from "../variable-expression.ts";

export interface VariableScope {
  /** Set in the file. */
  known: ReadonlyMap<string, string>;
  matrix: ReadonlySet<string>;
  /** Collects those that are set elsewhere: in the settings of the project, or by GitLab. */
  unknown: Set<string>;
  /** Where one that is set nowhere is empty; elsewhere it is an error. */
  mayBeAbsent?: boolean;
}

const string = (text: string): Typed => ({ text, kind: "string" });

/** What GitLab sets itself. */
const predefined: Readonly<Record<string, Typed>> = {
  CI_COMMIT_SHA: string("sha"),
  CI_COMMIT_BRANCH: string("branch"),
  CI_COMMIT_TAG: string("tag"),
  CI_COMMIT_REF_NAME: string("coalesce(tag, branch)"),
  CI_COMMIT_REF_SLUG: string("coalesce(tag, branch)"),
  CI_DEFAULT_BRANCH: string("repo.default_branch"),
  CI_PROJECT_PATH: string("repo.full_name"),
  CI_PROJECT_NAME: string("repo.name"),
  CI_PROJECT_NAMESPACE: string("repo.owner"),
  CI_PROJECT_ROOT_NAMESPACE: string("repo.owner"),
  CI_PIPELINE_ID: string("pipeline.id"),
  CI_PIPELINE_URL: string("pipeline.url"),
  GITLAB_USER_LOGIN: string("actor"),
  CI_PROJECT_DIR: textLiteral("/workspace"),
  CI: literalOf(true),
  GITLAB_CI: literalOf(false),
};

/** No variable of the pipeline: scripts read them, and GitLab leaves them to the shell. */
const ofShell = new Set(["HOME", "PATH", "PWD", "USER", "SHELL", "HOSTNAME", "LANG", "TERM"]);

function lookUp(name: string, scope: VariableScope): Typed | null {
  if (scope.matrix.has(name)) return string(`matrix.${name}`);
  if (Object.hasOwn(predefined, name)) return predefined[name] as Typed;
  if (/^(CI|GITLAB)_/.test(name)) throw new CannotConvert(`${name} of GitLab has no counterpart`);
  return null;
}

/** `$A/b` as text with `${{ }}`. Throws `CannotConvert`. */
export function translateVariableText(text: string, scope: VariableScope, depth = 0): string {
  if (depth > 8) throw new CannotConvert("the variables refer to each other");
  const plain = text.replaceAll("${{", "$ {{").replaceAll("$$", "\0");
  const translated = plain.replace(
    /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|\{[^}]*\})/g,
    (all, braced?: string, bare?: string) => {
      const name = braced ?? bare;
      if (name === undefined) throw new CannotConvert(`${all} is worked out by the shell`);
      if (ofShell.has(name)) return all;
      const value = scope.known.get(name);
      if (value !== undefined && !scope.matrix.has(name))
        return translateVariableText(value, scope, depth + 1);
      const found = lookUp(name, scope);
      if (found?.literal !== undefined) return String(found.literal);
      if (found === null) scope.unknown.add(name);
      const ours = scope.mayBeAbsent ? `coalesce(vars.${name}, '')` : `vars.${name}`;
      return `\${{ ${found?.text ?? ours} }}`;
    },
  );
  if (translated.length > 10_000)
    throw new CannotConvert("the variables make a text of more than 10,000 characters");
  return translated.replaceAll("\0", "$");
}

const sources: Readonly<Record<string, Typed>> = {
  push: condition("event == 'push' || event == 'tag'", 1),
  web: condition("event == 'manual'"),
  schedule: condition("event == 'schedule'"),
  api: condition("event == 'api'"),
  trigger: condition("event == 'api'"),
  pipeline: condition("event == 'api'"),
  merge_request_event: condition("event == 'merge_request'"),
  external_pull_request_event: condition("event == 'merge_request'"),
};

export function isSource(name: string): Typed {
  const found = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (found === undefined) throw new CannotConvert(`runs that ${name} starts have no counterpart`);
  return found;
}

/** For conditions of `rules`. */
export function ruleVariables(scope: VariableScope): Variables {
  const valueOf = (name: string): Typed => {
    const found = lookUp(name, { ...scope, matrix: new Set() });
    if (found !== null) return found;
    const value = scope.known.get(name);
    if (value?.includes("$")) throw new CannotConvert(`${name} is made of other variables`);
    return string(`coalesce(vars.${name}, ${textLiteral(value ?? "").text})`);
  };
  return {
    valueOf,
    isSet(name) {
      if (name.startsWith("CI_MERGE_REQUEST_")) return condition("event == 'merge_request'");
      if (name === "CI_OPEN_MERGE_REQUESTS") return literalOf(false);
      const value = valueOf(name);
      return value.literal === undefined
        ? condition(`${value.text} != ''`)
        : literalOf(Boolean(value.literal));
    },
    isEvent: (name, event) => (name === "CI_PIPELINE_SOURCE" ? isSource(event) : null),
  };
}

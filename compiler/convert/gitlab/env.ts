/** `variables` of GitLab as `env`; those that configure the clone become `clone`. */
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { isVariable } from "../names.ts";
import { child, entries, textOfNode } from "../nodes.ts";
import type { Plain, PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import { translateVariableText, type VariableScope } from "./variables.ts";

/** Values as written. */
export function writtenVariables(node: TreeNode | undefined): [string, string][] {
  return entries(node).map(({ key, value }) => [
    key,
    textOfNode(value) ?? textOfNode(child(value, "value")) ?? "",
  ]);
}

/** Those that tell the runner how to work. */
const ofRunner = /^(GIT_|FF_|GET_SOURCES_|ARTIFACT_|CACHE_|TRANSFER_|KUBERNETES_|SECURE_|RUNNER_)/;

export function convertVariables(
  node: TreeNode | undefined,
  scope: VariableScope,
  section: Section,
): PlainMap {
  const env: PlainMap = {};
  for (const { key, value, keySpan } of entries(node)) {
    const say = (message: string, suggestion: string | null = null) =>
      section.trace.note(keySpan, section.at, {
        construct: `${section.label === "" ? "" : `${section.label}.`}variables`,
        message: `${key}: ${message}`,
        suggestion,
      });
    const written = textOfNode(value) ?? textOfNode(child(value, "value")) ?? "";
    if (ofRunner.test(key) && !key.startsWith("GIT_TEST")) {
      if (!/^GIT_(DEPTH|STRATEGY|SUBMODULE_STRATEGY|LFS_SKIP_SMUDGE)$/.test(key))
        say("it configures GitLab's runner");
      continue;
    }
    if (!isVariable(key)) {
      say("names that begin with CI_ belong to the server", "choose another name");
      continue;
    }
    const isRaw = textOfNode(child(value, "expand")) === "false";
    const own = new Map(scope.known);
    own.delete(key);
    const elsewhere = new Set<string>();
    const outer = { ...scope, known: own, unknown: elsewhere, mayBeAbsent: true };
    const translated = attempt(() =>
      isRaw ? written.replaceAll("${{", "$ {{") : translateVariableText(written, outer),
    );
    if (elsewhere.size > 0)
      say(
        `not set in this file: ${[...elsewhere].join(", ")}, which is empty unless it is a variable of the repository or organization`,
        `set it there, or, if it is a secret, write secrets: { ${key}: ${[...elsewhere][0]} } into the jobs in place of this`,
      );
    if ("problem" in translated) say(translated.problem.message, "set it in the script");
    env[key] = "problem" in translated ? "" : plainOf(value, translated.value);
  }
  return env;
}

function plainOf(node: TreeNode, text: string): Plain {
  return node.kind === "scalar" &&
    (typeof node.value === "number" || typeof node.value === "boolean") &&
    String(node.value) === text
    ? node.value
    : text;
}

/** null: as ours clones without being told. */
export function cloneOf(variables: ReadonlyMap<string, string>): Plain {
  if (["none", "empty"].includes(variables.get("GIT_STRATEGY") ?? "")) return false;
  const depth = variables.get("GIT_DEPTH") ?? "";
  const submodules = variables.get("GIT_SUBMODULE_STRATEGY");
  const clone: PlainMap = {};
  if (/^[0-9]{1,6}$/.test(depth)) clone.depth = Number(depth);
  if (submodules === "recursive") clone.submodules = "recursive";
  if (submodules === "normal") clone.submodules = true;
  return Object.keys(clone).length > 0 ? clone : null;
}

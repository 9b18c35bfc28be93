/** `env` of a workflow, job or step: values that are secrets go to `secrets`, the others are translated. */
import type { TreeNode } from "../../tree.ts";
import { attempt } from "../cannot.ts";
import { isVariable } from "../names.ts";
import { entries, textOfNode } from "../nodes.ts";
import type { Plain, PlainMap } from "../plain.ts";
import type { Section } from "../trace.ts";
import type { Known } from "./known.ts";
import { isJobToken, onlySecret, translateTemplate } from "./texts.ts";

export interface Env {
  env: PlainMap;
  secrets: Plain[];
}

/** `known` without `env`: for the file's own, of which only the run's contexts are known. */
export function convertEnv(node: TreeNode | undefined, known: Known, section: Section): Env {
  const result: Env = { env: {}, secrets: [] };
  const construct = `${section.label === "" ? "" : `${section.label}.`}env`;
  for (const { key, value, keySpan } of entries(node)) {
    const text = textOfNode(value) ?? "";
    const say = (message: string, suggestion: string | null = null) =>
      section.trace.note(keySpan, section.at, { construct, message: `${key}: ${message}`, suggestion });
    const secret = onlySecret(text);
    if (!isVariable(key)) say("names that begin with CI_ belong to the server", "choose another name");
    else if (secret !== null && isJobToken(secret))
      say("there is no token of this name", "steps find a token for this repository in CI_JOB_TOKEN");
    else if (secret !== null) result.secrets.push(secret === key ? key : { name: secret, env: key });
    else {
      const translated = attempt(() => translateTemplate(text, known));
      if ("value" in translated)
        result.env[key] =
          value.kind === "scalar" && typeof value.value !== "string" && value.value !== null
            ? value.value
            : translated.value;
      else {
        result.env[key] = "";
        say(translated.problem.message, translated.problem.suggestion);
      }
    }
  }
  return result;
}

/** Values as written, for `env.X` in expressions. */
export function writtenEnv(node: TreeNode | undefined): [string, string][] {
  return entries(node).map(({ key, value }) => [key, textOfNode(value) ?? ""]);
}

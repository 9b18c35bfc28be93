/** What steps and services of Woodpecker have alike: their image, their variables and secrets. */
import { quote } from "../../suggest.ts";
import { attempt } from "../cannot.ts";
import { isVariable } from "../names.ts";
import { child, entries, isTrue, items, textOfNode, texts } from "../nodes.ts";
import type { Plain, PlainMap } from "../plain.ts";
import type { Section, Trace } from "../trace.ts";
import { translateValue } from "./texts.ts";

/** The one job that a file becomes. */
export interface Job {
  id: string;
  trace: Trace;
  matrix: ReadonlySet<string>;
}

/** With `pull`, which is a key of the step there. */
export function imageOf(section: Section, { matrix }: Job): Plain {
  const written = textOfNode(section.take("image"));
  const isPulled = isTrue(section.take("pull"));
  if (written === null) return null;
  const name = attempt(() => translateValue(written, matrix));
  if ("problem" in name)
    section.note("image", { message: name.problem.message, suggestion: name.problem.suggestion });
  if ("problem" in name) return null;
  return isPulled ? { name: name.value, pull: "always" } : name.value;
}

/** `environment` with its secrets, and the older `secrets`. */
export function environmentOf(section: Section, { matrix }: Job): { env: PlainMap; secrets: Plain[] } {
  const env: PlainMap = {};
  const secrets: Plain[] = [];
  const node = section.take("environment");
  const pairs =
    node?.kind === "seq"
      ? texts(node).map((text) => ({
          key: text.split("=")[0] ?? "",
          text: text.split("=").slice(1).join("="),
          secret: null,
        }))
      : entries(node).map(({ key, value }) => ({
          key,
          text: textOfNode(value) ?? "",
          secret: textOfNode(child(value, "from_secret")),
        }));
  for (const { key, text, secret } of pairs) {
    const value = attempt(() => translateValue(text, matrix));
    if (!isVariable(key))
      section.note("environment", {
        message: key.startsWith("CI_")
          ? `${key}: names that begin with CI_ belong to the server`
          : `${quote(key)} is no name of a variable`,
      });
    else if (secret !== null) addSecret(secret, key, "environment");
    else if ("problem" in value)
      section.note("environment", {
        message: `${key}: ${value.problem.message}`,
        suggestion: value.problem.suggestion,
      });
    else env[key] = value.value;
  }
  for (const item of items(section.take("secrets"))) {
    const source = textOfNode(item) ?? textOfNode(child(item, "source")) ?? "";
    const target = (textOfNode(child(item, "target")) ?? source).toUpperCase();
    if (isVariable(target)) addSecret(source, target, "secrets");
    else
      section.note("secrets", { message: `${target || "a secret without a name"} is no name of a variable` });
  }
  return { env, secrets };

  function addSecret(name: string, variable: string, key: string): void {
    const secret = secretOf(name, variable);
    const ours = typeof secret === "string" ? secret : secret.name;
    if (ours !== name) section.note(key, { message: `the secret ${name} is called ${String(ours)} here` });
    secrets.push(secret);
  }
}

function secretOf(name: string, variable: string): string | { name: string; env: string } {
  const secret = name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
  return secret === variable ? secret : { name: secret, env: variable };
}

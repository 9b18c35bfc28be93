/** Texts with `${{ }}`: in values they are translated, in scripts they become variables, since ours refuse them there. */
import { splitTemplate } from "../../template.ts";
import { attempt, CannotConvert } from "../cannot.ts";
import { variableName } from "../names.ts";
import { parseTheirs, pathOf, translateText } from "./expression.ts";
import type { Known } from "./known.ts";

/** A value's text in our language. Throws `CannotConvert`. */
export function translateTemplate(text: string, known: Known): string {
  if (!text.includes("${{")) return text;
  const parts = attempt(() => partsOf(text));
  if ("problem" in parts) throw parts.problem;
  return parts.value
    .map((part) => {
      if (part.kind === "text") return part.text;
      const { literal, text: ours } = translateText(part.source, known);
      return literal === undefined ? `\${{ ${ours} }}` : String(literal);
    })
    .join("");
}

function partsOf(text: string) {
  try {
    return splitTemplate(text);
  } catch {
    throw new CannotConvert("an expression is not closed");
  }
}

/** `X` of a value that is `${{ secrets.X }}` and nothing else. */
export function onlySecret(text: string): string | null {
  return /^\s*\$\{\{\s*secrets\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}\s*$/.exec(text)?.[1] ?? null;
}

/** The token that GitHub makes for a job; no secret of the repository. */
export const isJobToken = (name: string): boolean => name.toUpperCase() === "GITHUB_TOKEN";

export interface Script {
  run: string;
  env: Map<string, string>;
  secrets: Set<string>;
  problems: CannotConvert[];
  usesToken: boolean;
}

/** A script with variables in place of expressions; `wrap` writes a variable as the shell of the script reads it. */
export function translateScript(text: string, known: Known, shell: string | null): Script {
  const script: Script = { run: "", env: new Map(), secrets: new Set(), problems: [], usesToken: false };
  const parts = attempt(() => partsOf(text));
  if ("problem" in parts)
    return { ...script, run: text.replaceAll("${{", "$ {{"), problems: [parts.problem] };
  for (const [i, part] of parts.value.entries()) {
    if (part.kind === "text") {
      script.run += part.text;
      continue;
    }
    const after = parts.value[i + 1];
    const word = wordOf(part.source, known, script);
    script.run +=
      typeof word === "string"
        ? word
        : reference(word.variable, {
            before: script.run,
            after: after?.kind === "text" ? after.text : "",
            shell,
          });
  }
  return script;
}

/** A text that takes the expression's place, or the variable that holds its value. */
function wordOf(source: string, known: Known, script: Script): string | { variable: string } {
  const path = attempt(() => pathOf(parseTheirs(source)));
  const [context, name = ""] = "value" in path ? (path.value ?? []) : [];
  if (context === "env" && name !== "") return { variable: name };
  if ((context === "secrets" && isJobToken(name)) || (context === "github" && name === "token")) {
    script.usesToken = true;
    return { variable: "CI_JOB_TOKEN" };
  }
  if (context === "secrets" && name !== "") {
    script.secrets.add(name);
    return { variable: name };
  }
  const given = Object.hasOwn(inShell, `${context}.${name}`) ? inShell[`${context}.${name}`] : undefined;
  if (given !== undefined) return { variable: given };
  const value = attempt(() => translateText(source, known));
  const variable = uniqueName(source, value, script.env);
  if ("problem" in value) script.problems.push(value.problem);
  else if (value.value.literal !== undefined) return String(value.value.literal);
  script.env.set(variable, "value" in value ? `\${{ ${value.value.text} }}` : "");
  return { variable };
}

/** What every step finds in its environment. */
const inShell: Readonly<Record<string, string>> = {
  "github.sha": "CI_COMMIT_SHA",
  "github.ref": "CI_REF",
  "github.actor": "CI_ACTOR",
  "github.repository": "CI_PROJECT",
  "github.run_id": "CI_PIPELINE_ID",
  "github.run_number": "CI_PIPELINE_NUMBER",
  "github.workspace": "CI_WORKSPACE",
};

function uniqueName(
  source: string,
  value: ReturnType<typeof attempt<{ text: string }>>,
  env: ReadonlyMap<string, string>,
): string {
  const base = variableName(
    source
      .trim()
      .replace(/^github\.(event\.)?/, "")
      .slice(0, 40),
  );
  const wanted = "value" in value ? `\${{ ${value.value.text} }}` : "";
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}_${n}`;
    if (!env.has(name) || env.get(name) === wanted) return name;
  }
}

function reference(
  name: string,
  { before, after, shell }: { before: string; after: string; shell: string | null },
): string {
  if (shell === "pwsh") return `\${env:${name}}`;
  const plain = /^[A-Za-z0-9_]/.test(after) ? `\${${name}}` : `$${name}`;
  return isInSingleQuotes(before) ? `'"${plain}"'` : plain;
}

/** Whether the shell would read what follows as it stands. Judged on the last line alone, where quotes mostly begin and end. */
function isInSingleQuotes(before: string): boolean {
  let quote = "";
  for (const character of before.slice(before.lastIndexOf("\n") + 1).replace(/\\./g, "")) {
    if (quote === "" && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = "";
  }
  return quote === "'";
}

/** Lines of a text that hold something. */
export function lines(text: string | null): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

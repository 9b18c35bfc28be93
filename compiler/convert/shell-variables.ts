/** Variables of other systems in scripts, as the ones that our steps find. */
import { isName, isStepVariable, variablesBySystem } from "../other-variables.ts";

/** Those of merge requests, which do not start runs yet. */
const later = /^CI_MR_(?:NUMBER|SOURCE|TARGET)$/;

/** The script with our names; `left` are variables of the other system that have no counterpart. */
export function renameShellVariables(
  script: string,
  system: keyof typeof variablesBySystem,
): { script: string; left: string[] } {
  const table: Readonly<Record<string, string>> = variablesBySystem[system];
  const renamed = script.replace(
    /(\$env:|\$)(\{?)([A-Z][A-Z0-9_]*)(?=(\}?))/g,
    (...[all, mark, brace, name, end]: string[]) => {
      const found = Object.hasOwn(table, name ?? "") ? table[name ?? ""] : undefined;
      if (found === undefined) return all ?? "";
      if (isName(found)) return `${mark}${brace}${found}`;
      // An operation can only stand in braces, and only where there is none yet.
      if (mark !== "$") return all ?? "";
      if (brace === "") return `\${${found}}`;
      return end === "}" ? `\${${found}` : (all ?? "");
    },
  );
  const prefix = system === "bitbucket" ? /\$\{?(BITBUCKET_[A-Z0-9_]+)/g : /\$\{?((?:CI|GITLAB)_[A-Z0-9_]+)/g;
  const left = [...renamed.matchAll(prefix)]
    .map(([, name = ""]) => name)
    .filter((name) => !isStepVariable(name) && !later.test(name));
  return { script: renamed.replaceAll("${{", "$ {{"), left: [...new Set(left)] };
}

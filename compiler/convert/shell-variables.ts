/** Variables of other systems in scripts, as the ones that our steps find. */
import { isName, isStepVariable, variablesBySystem } from "../other-variables.ts";
import type { Section } from "./trace.ts";

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

/** What shells and images set themselves. */
const ofShell = new Set(
  "HOME PATH PWD OLDPWD USER SHELL HOSTNAME LANG TERM IFS PS1 RANDOM SECONDS LINENO UID EUID PPID OSTYPE REPLY OPTARG OPTIND BASH_SOURCE FUNCNAME PIPESTATUS DEBIAN_FRONTEND CI".split(
    " ",
  ),
);

/** Variables of a script that neither it nor `known` sets, and that have no default: from settings, which secrets do not leave. */
export function unsetVariables(script: string, known: (name: string) => boolean): string[] {
  const isSet = new Set(
    [
      ...script.matchAll(
        /(?:^|[\s;&|(])([A-Z][A-Z0-9_]*)\+?=|\b(?:for|read|export|local|declare)\s+(?:-\w+\s+)*([A-Z][A-Z0-9_]*)/gm,
      ),
    ].map(([, assigned, named]) => assigned ?? named ?? ""),
  );
  const read = [...script.matchAll(/(?<![\\$])\$(?:([A-Z][A-Z0-9_]+)|\{([A-Z][A-Z0-9_]+)(:?[-+=?])?)/g)]
    .filter(([, , , operation]) => operation === undefined)
    .map(([, bare, braced]) => bare ?? braced ?? "");
  return [...new Set(read)].filter(
    (name) =>
      !isSet.has(name) &&
      !ofShell.has(name) &&
      !isStepVariable(name) &&
      !/^(CI|GITLAB|BITBUCKET)_/.test(name) &&
      !known(name),
  );
}

/** One note for the whole file. */
export function noteUnset(names: ReadonlySet<string>, section: Section): void {
  if (names.size === 0) return;
  const listed = [...names].slice(0, 20).join(", ");
  const rest = names.size > 20 ? ` and ${names.size - 20} more` : "";
  section.note("variables", {
    message: `scripts read ${listed}${rest}, which this file does not set`,
    suggestion:
      "what is in the settings there has to be set here: variables reach all steps, but a secret only those that name it under secrets",
  });
}

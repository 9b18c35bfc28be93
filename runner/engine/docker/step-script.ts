/** Writes the small script that gives a step its directory and environment, then becomes the step's shell. */
import { posix } from "node:path";
import { EngineError, type StepCommand } from "../engine.ts";

/** Shells refuse to assign these, so they reach the step through `env`, as arguments. */
const readOnlyNames = new Set([
  "UID",
  "EUID",
  "GID",
  "EGID",
  "PPID",
  "SHELLOPTS",
  "BASHOPTS",
  "BASH_VERSINFO",
]);

/** Safe for every byte but NUL, which no environment can hold. */
export function quoteForShell(value: string): string {
  if (value.includes("\0"))
    throw new EngineError("internal", "A value contains a NUL byte, which environment variables cannot.");
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Throws when the directory is outside the workspace. */
export function workdirInContainer(workdir: string | null): string {
  const path = posix.normalize(posix.join("/workspace", workdir ?? "."));
  if (workdir?.startsWith("/") === true || (path !== "/workspace" && !path.startsWith("/workspace/"))) {
    throw new EngineError("internal", `The directory ${JSON.stringify(workdir)} is outside the workspace.`);
  }
  return path.replace(/\/$/, "");
}

/**
 * Becomes what runs the script: `$1` is `sh`, `$2` `bash` or empty, `$3` the script. `prefix` stands before it; `place` is where programs are
 * looked for, in words.
 */
export function stepInterpreter(
  { shell, script, traced = false }: Pick<StepCommand, "shell" | "script" | "traced">,
  prefix: string,
  place: "image" | "machine",
): string {
  if (shell === "none") return programOf(script, prefix, place);
  if (shell === "pwsh") return powerShell(prefix, place);
  const trace = traced ? "x" : "";
  const bash = `exec ${prefix}"$2" -e${trace}o pipefail "$3"`;
  const sh = `exec ${prefix}"$1" -e${trace} "$3"`;
  if (shell === "sh") return sh;
  if (shell === "auto") return `if [ -n "$2" ]; then ${bash}; fi\n${sh}`;
  return `if [ -n "$2" ]; then ${bash}; fi\necho "forgeline: this ${place} has no bash" >&2\nexit 127`;
}

/**
 * As Linux runs a file that begins with `#!`: the program, all that follows it as one argument, the file. Not by the file itself, since
 * a directory of memory may be closed to programs.
 */
function programOf(script: string, prefix: string, place: string): string {
  const [, program, argument = ""] = /^#![ \t]*(\/[^ \t\n]*)[ \t]*([^\n]*?)[ \t]*(?:\n|$)/.exec(script) ?? [];
  if (program === undefined)
    throw new EngineError("internal", "A step without a shell does not begin with #! and a path.");
  const quoted = quoteForShell(program);
  const words = argument === "" ? quoted : `${quoted} ${quoteForShell(argument)}`;
  return `${orMissing(`[ -x ${quoted} ]`, program, place)}\nexec ${prefix}${words} "$3"`;
}

function powerShell(prefix: string, place: string): string {
  const found = orMissing("command -v pwsh >/dev/null 2>&1", "pwsh", place);
  return `${found}\nexec ${prefix}pwsh -NoProfile -NonInteractive -File "$3"`;
}

function orMissing(test: string, program: string, place: string): string {
  const words = quoteForShell(`forgeline: this ${place} has no ${program}`);
  return `if ! ${test}; then echo ${words} >&2; exit 127; fi`;
}

/**
 * Run as `sh <this> <sh> <bash or empty> <user's script>`. Values appear in this file only, never in arguments
 * or in the container's settings (but those few names that a shell will not assign). `files` are paths inside by the variable that names them.
 */
export function stepLauncher(command: StepCommand, files: Record<string, string>): string {
  const lines = [`cd -- ${quoteForShell(workdirInContainer(command.workdir))} || exit 1`];
  const byArgument: string[] = [];
  for (const [name, value] of Object.entries({ ...command.env, ...files })) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new EngineError(
        "internal",
        `${JSON.stringify(name)} cannot be the name of an environment variable.`,
      );
    }
    if (readOnlyNames.has(name)) byArgument.push(`${name}=${quoteForShell(value)}`);
    else lines.push(`export ${name}=${quoteForShell(value)}`);
  }
  const prefix = byArgument.length === 0 ? "" : `env ${byArgument.join(" ")} `;
  return `${lines.join("\n")}\n${stepInterpreter(command, prefix, "image")}\n`;
}

/**
 * The two small programs that run a step. The first is its process group's leader and outlives the agent: it says that it is there, waits for the
 * step and writes down how it ended. The second gives the step its directory and becomes its shell.
 */
import { join } from "node:path";
import { EngineError, type StepCommand } from "../engine.ts";
import { stepInterpreter, quoteForShell, workdirInContainer } from "../docker/step-script.ts";

/** Of a step that was ended before it began. */
const terminatedCode = 143;

/**
 * Arguments: file of its process id, beginning of the names of the step's files, launcher, script. It ends without a word where somebody else has
 * made the first: the step was given up. TERM is for the step; what tells its end lives on.
 */
export const stepKeeper = `
term=
trap 'term=1' TERM INT HUP
set -C
echo "$$" >"$1" || exit 0
set +C
code=${String(terminatedCode)}
if [ -z "$term" ]; then (exec sh "$3" "$4" 2>&1); code=$?; fi
rm -f "$2".secret-*
echo "$code" >"$2.exit.new" && mv -f "$2.exit.new" "$2.exit"
`;

/** Run as `sh <this> <user's script>`; the rest of the environment is the process's own. Throws where the directory leaves the workspace. */
export function processLauncher(command: StepCommand, workspaceDir: string): string {
  const directory = join(workspaceDir, workdirInContainer(command.workdir).slice("/workspace".length));
  const path = command.env["PATH"];
  return `sh=$(command -v sh)
${path === undefined ? "" : `export PATH=${quoteForShell(path)}\n`}cd -- ${quoteForShell(directory)} || exit 1
set -- "$sh" "$(command -v bash || true)" "$1"
${stepInterpreter(command, "", "machine")}
`;
}

/** Throws for what no environment can hold. */
export function checkEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new EngineError(
        "internal",
        `${JSON.stringify(name)} cannot be the name of an environment variable.`,
      );
    if (value.includes("\0"))
      throw new EngineError("internal", "A value contains a NUL byte, which environment variables cannot.");
  }
}

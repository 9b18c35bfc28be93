/** Schemathesis, in an environment of its own. */
import { fileURLToPath } from "node:url";
import { ensureProgram, installedProgram } from "../python/environment.ts";

const environment = {
  name: "schemathesis",
  requirementsFile: fileURLToPath(new URL("requirements.txt", import.meta.url)),
  program: "schemathesis",
};

/** The program's path, or undefined where it is not installed yet. */
export function installedSchemathesis(cache: string): Promise<string | undefined> {
  return installedProgram(environment, cache);
}

/** The program's path; installed when it is not there. Throws with what to do when that is not possible. */
export async function ensureSchemathesis(cache: string, say: (line: string) => void): Promise<string> {
  try {
    return await ensureProgram(environment, cache, say);
  } catch (error) {
    throw new Error(howToInstall(error), { cause: error });
  }
}

function howToInstall(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return [
    `schemathesis could not be installed: ${reason}`,
    "Install it where PyPI can be reached (Python 3.10 or newer with its venv module is needed), and name it:",
    "  python3 -m venv fuzz-venv",
    "  fuzz-venv/bin/pip install -r scripts/fuzz/requirements.txt",
    "  npm run fuzz -- --schemathesis $PWD/fuzz-venv/bin/schemathesis",
  ].join("\n");
}

/** dulwich, a Git implementation in Python, for tests with other clients than `git`. */
import { fileURLToPath } from "node:url";
import { ensureProgram, installedProgram } from "../../scripts/python/environment.ts";

const environment = {
  name: "dulwich",
  requirementsFile: fileURLToPath(new URL("../integration/git/clients/requirements.txt", import.meta.url)),
  program: "python",
};

/** Python with dulwich, or undefined where it is not installed. */
export function installedDulwich(cache: string): Promise<string | undefined> {
  return installedProgram(environment, cache);
}

/** As above, and installed when it is not there. Throws where PyPI cannot be reached. */
export function ensureDulwich(cache: string, say: (line: string) => void): Promise<string> {
  return ensureProgram(environment, cache, say);
}

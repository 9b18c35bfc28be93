/** The Python library of the Standard Webhooks specification, for tests of what we sign. */
import { fileURLToPath } from "node:url";
import { ensureProgram, installedProgram } from "../../scripts/python/environment.ts";

const environment = {
  name: "standard-webhooks",
  requirementsFile: fileURLToPath(new URL("../contract/webhook-receivers.txt", import.meta.url)),
  program: "python",
};

/** Python with the library, or undefined where it is not installed. */
export function installedStandardWebhooks(cache: string): Promise<string | undefined> {
  return installedProgram(environment, cache);
}

/** As above, and installed when it is not there. Throws where PyPI cannot be reached. */
export function ensureStandardWebhooks(cache: string, say: (line: string) => void): Promise<string> {
  return ensureProgram(environment, cache, say);
}

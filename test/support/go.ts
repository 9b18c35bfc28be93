/** Go, which builds Temporal, versitygw and a collector of OpenTelemetry where they are not in the cache yet: of PyPI where the machine has none. */
import { fileURLToPath } from "node:url";
import { which } from "@forgeline/launcher/run.ts";
import { ensureProgram } from "../../scripts/python/environment.ts";

const environment = {
  name: "go",
  requirementsFile: fileURLToPath(new URL("go-requirements.txt", import.meta.url)),
  program: "go",
};
/** Both are built at once, and an environment is made by one only. */
let installing: Promise<string> | undefined;

/** Its path. Throws where it is neither there nor to be had. */
export async function ensureGo(cache: string, say: (line: string) => void): Promise<string> {
  return (await which("go")) ?? (installing ??= ensureProgram(environment, cache, say));
}

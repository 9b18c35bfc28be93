/** The line to paste on the machine of a runner. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { CliContext } from "../../context.ts";

/** Fetches the program and does what `argument` says: a registration token, or `--update`. */
export async function installLine(
  { caFile, url }: CliContext["connection"],
  argument: string,
): Promise<string> {
  const sum = caFile
    ? createHash("sha256")
        .update(await readFile(caFile))
        .digest("hex")
    : undefined;
  if (sum !== undefined)
    return `curl -fsSk ${url}/downloads/install-runner.sh | FORGELINE_URL=${url} sh -s -- ${sum} ${argument}`;
  return argument === "--update"
    ? `install forgeline-runner of the server's version and restart it: ${url}/docs/operations/runners#updating`
    : `FORGELINE_RUNNER_TOKEN=${argument} forgeline-runner register --url ${url}`;
}

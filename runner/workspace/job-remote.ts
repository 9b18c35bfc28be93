/**
 * What `origin` is to the steps of a job. The runner often fetches from another address than the one that containers reach, and
 * with a header that only its own Git has; a step is to be able to say `git push origin` all the same.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Asked by Git where the server wants to know who it is. The token stays in the step's environment, and in no file. */
const helper = `!f() { test "$1" = get && echo username=job && echo "password=$CI_JOB_TOKEN"; }; f`;

/** The line of `.git/config`. */
export function remoteUrlLine(url: string): string {
  return `\turl = ${quoted(new URL(url).href)}`;
}

/** Changes `origin` of the repository in `directory` from `fetchUrl` to `jobUrl`. Only before any step: later the file is the job's. */
export async function turnOriginToJob(
  directory: string,
  { fetchUrl, jobUrl }: { fetchUrl: string; jobUrl: string },
): Promise<void> {
  const file = join(directory, ".git/config");
  const config = await readFile(file, "utf8");
  const turned = config
    .split("\n")
    .map((line) => (line === remoteUrlLine(fetchUrl) ? remoteUrlLine(jobUrl) : line))
    .join("\n");
  const credential = [`[credential ${quoted(new URL(jobUrl).origin)}]`, `\thelper = ${quoted(helper)}`, ""];
  await writeFile(file, `${turned}${credential.join("\n")}`);
}

/** Git's own escapes (`git config`, Syntax) are those of JSON for text without control characters. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The Git that the server, the runner and the demo need. */
import { run } from "./run.ts";

/** `safe.directory` by environment, and what protocol v2 needs of the server's side. */
const oldest = [2, 36] as const;

/** Rejects with what to install when Git is missing or too old. */
export async function requireGit(env: NodeJS.ProcessEnv): Promise<void> {
  const text = await run("git", ["--version"], { env }).catch(() => undefined);
  const problem = problemWithGit(text);
  if (problem) throw new Error(problem);
}

/** What is wrong with the Git that calls itself this; undefined when nothing is. */
export function problemWithGit(versionText: string | undefined): string | undefined {
  const wanted = `Git ${oldest.join(".")} or newer is needed`;
  const how = "(Debian, Ubuntu: sudo apt-get install git; others: https://git-scm.com/downloads)";
  if (versionText === undefined) return `${wanted}, but it is not installed; install it ${how}.`;
  const match = /(\d+)\.(\d+)/.exec(versionText);
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `${wanted}, but this is "${versionText.trim()}"; install a newer one ${how}.`;
}

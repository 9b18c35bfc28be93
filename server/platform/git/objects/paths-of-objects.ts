/** The paths of certain files in a push; for messages about files to remove. */
import { quarantineEnvironment, type Quarantine } from "./received-objects.ts";
import type { RunGit } from "../processes/run-git.ts";
import { zeroId } from "../refs/names.ts";

/** One path of each object that is found; a push too large to be walked in time gives none. */
export async function pathsOfObjects(
  runGit: RunGit,
  place: Quarantine,
  { tips, wanted }: { tips: readonly string[]; wanted: ReadonlySet<string> },
): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  const revisions = tips.filter((tip) => tip !== zeroId);
  const result = await runGit({
    directory: place.directory,
    args: ["rev-list", "--objects", "--stdin", "--not", "--all"],
    env: quarantineEnvironment(place),
    input: `${revisions.join("\n")}\n`,
    maxOutputBytes: 128 * 1024 * 1024,
    timeoutMs: 20_000,
  }).catch(() => undefined);
  for (const line of result?.stdout.toString("utf8").split("\n") ?? []) {
    const oid = line.slice(0, 40);
    if (wanted.has(oid) && line.length > 41) paths.set(oid, line.slice(41));
  }
  return paths;
}

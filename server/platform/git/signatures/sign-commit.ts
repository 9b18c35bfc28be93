/** Signs a commit that has been written: the same commit with a signature is another object. */
import type { RunGit } from "../processes/run-git.ts";
import type { CombinedPlace } from "../merging/combined-objects.ts";

/** The bytes of the commit with a signature in its head. */
export type SignCommit = (commit: Buffer) => Promise<Buffer>;

/** Id of the signed commit. */
export async function signWritten(
  runGit: RunGit,
  place: CombinedPlace,
  { commit, sign }: { commit: string; sign: SignCommit },
): Promise<string> {
  const { stdout: bytes } = await runGit({ ...place, args: ["cat-file", "commit", commit] });
  const { stdout } = await runGit({
    ...place,
    args: ["hash-object", "-t", "commit", "-w", "--stdin"],
    input: await sign(bytes),
  });
  return stdout.toString("latin1").trim();
}

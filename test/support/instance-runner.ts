/** What a runner of a test instance may be started with, such as another user, who may then read and write what that needs. */
import { chmod, chown, copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface TestRunnerOptions {
  capacity?: number;
  labels?: string[];
  env?: Record<string, string>;
  /** Called with the runner's directory once that is made; the runner starts afterwards. */
  onDirectory?: (directory: string) => void;
  /** Who runs it; default: who runs the tests. */
  user?: OrdinaryUser;
}

interface OrdinaryUser {
  uid: number;
  gid: number;
}

/** `directory` becomes the user's, with a copy of the authority; gives that, and the words that start a program as the user. */
export async function handOver(
  directory: string,
  caFile: string,
  user?: OrdinaryUser,
): Promise<{ caFile: string; wrapper: string[] }> {
  if (!user) return { caFile, wrapper: [] };
  const { uid, gid } = user;
  await chmod(dirname(directory), 0o711);
  const theirs = join(directory, "ca.pem");
  await copyFile(caFile, theirs);
  await chmod(theirs, 0o644);
  await chown(directory, uid, gid);
  const ids = ["--reuid", String(uid), "--regid", String(gid), "--clear-groups"];
  return { caFile: theirs, wrapper: ["setpriv", ...ids] };
}

/** What the server keeps of a merge request under `refs/merge-requests/`, by the last part of the name. */
import type { ApiServer } from "./api-server.ts";

export async function keptRefs(
  { container }: ApiServer,
  repositoryId: string,
  number: number,
): Promise<Record<string, string>> {
  const { git, storage } = container.platform;
  const args = [
    "for-each-ref",
    "--format=%(objectname) %(refname:lstrip=3)",
    `refs/merge-requests/${number}`,
  ];
  const { stdout } = await git.run({ directory: storage.directory(repositoryId), args });
  const lines = stdout.toString().split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

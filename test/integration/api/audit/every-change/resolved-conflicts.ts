/** A file that the target branch has got too, otherwise than a merge request that adds `proposed.txt`. */
import type { Driver } from "./driver.ts";

export async function resolvedConflicts(
  { change, server }: Driver,
  by: string,
  path: Record<string, string>,
): Promise<void> {
  const file = "proposed.txt";
  const repository = `/repos/${path["owner"]}/${path["repo"]}`;
  const body = { message: "x", content: Buffer.from("other").toString("base64") };
  await server.api("PUT", `${repository}/contents/${file}`, { token: by, body });
  const address = `${repository}/merge-requests/${path["number"]}/conflicts`;
  const { json: listed } = await server.api("GET", address, { token: by });
  const { head_sha, target_sha } = listed;
  const files = [{ path: file, take: "source" }];
  await change("resolveConflicts", { by, path, body: { head_sha, target_sha, files } });
}

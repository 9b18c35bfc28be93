/** What becomes of branches of a merge request: before it is merged, and after. */
import type { Driver } from "./driver.ts";

export async function updateBranches({ change }: Driver, by: string, path: Record<string, string>) {
  await change("updateSourceBranch", { by, path, body: {} });
  await change("rebaseSourceBranch", { by, path, body: {} });
}

export async function takeMerged({ change, server }: Driver, by: string, path: Record<string, string>) {
  const { owner = "", repo = "", number = "" } = path;
  const repository = `/repos/${owner}/${repo}`;
  const { json: merged } = await server.api("GET", `${repository}/merge-requests/${number}`, { token: by });
  const body = { name: "older", ref: merged.base_sha };
  await server.api("POST", `${repository}/branches`, { token: by, body });
  await change("restoreSourceBranch", { by, path });
  await change("revertMergeRequest", { by, path, body: {} });
  await change("cherryPickMergeRequest", { by, path, body: { target: "older" } });
}

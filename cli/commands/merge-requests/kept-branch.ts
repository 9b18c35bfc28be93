/** Why the source branch of a merge request stays, although it was to be deleted with it. */
import type { ForgelineClient } from "@forgeline/client/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { parseRepository, type RepositoryName } from "../../connection/repository.ts";
import { foreignOwner } from "./source.ts";

const mayPush = new Set(["write", "maintain", "admin"]);

/** In words; undefined where it is in the repository itself, or gone. */
export async function whyKept(
  api: ForgelineClient,
  merged: Schemas["MergeRequest"],
): Promise<string | undefined> {
  const { source_branch: branch, source_repo: source, state } = merged;
  if (source === null || foreignOwner(merged) === undefined) return undefined;
  const stays = `${branch} stays in ${source.full_name}`;
  if (state !== "merged") return `${stays}: a merge that waits deletes no branch of a fork`;
  const path = parseRepository(source.full_name);
  const fork = await api.GET("/repos/{owner}/{repo}", { params: { path } });
  if (!fork.data || !mayPush.has(fork.data.permissions)) return `${stays}: you may not push there`;
  return (await isThere(api, path, branch)) ? `${stays}: it has moved, or a rule protects it` : undefined;
}

async function isThere(api: ForgelineClient, path: RepositoryName, branch: string): Promise<boolean> {
  const { response } = await api.GET("/repos/{owner}/{repo}/branches/{branch}", {
    params: { path: { ...path, branch } },
  });
  return response.status === 200;
}

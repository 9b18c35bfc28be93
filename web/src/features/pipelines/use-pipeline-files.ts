/** Which pipeline files a branch, tag or commit has. */
import { skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export const singleFile = ".forgeline.yml";
const directory = ".forgeline";

/** `ref` null: nothing is asked. */
export function usePipelineFiles(ref: string | null) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["pipeline-files", path, ref],
    queryFn: ref === null ? skipToken : ({ signal }) => pipelineFiles(path, ref, signal),
  });
}

async function pipelineFiles(
  path: { owner: string; repo: string },
  ref: string,
  signal: AbortSignal,
): Promise<string[]> {
  // A repository without commits has no branch to ask about.
  const branches = await api.GET("/repos/{owner}/{repo}/branches", {
    params: { path, query: { per_page: 1 } },
    signal,
  });
  if (branches.data?.length === 0) return [];
  const query = { ref };
  const root = await api.GET("/repos/{owner}/{repo}/contents", { params: { path, query }, signal });
  const names = new Set(root.data?.map(({ name }) => name));
  if (names.has(singleFile)) return [singleFile];
  if (!names.has(directory)) return [];
  const inside = await api.GET("/repos/{owner}/{repo}/contents/{path}", {
    params: { path: { ...path, path: directory }, query },
    signal,
  });
  const entries = Array.isArray(inside.data) ? inside.data : [];
  return entries.filter(({ name }) => /\.ya?ml$/.test(name)).map((entry) => entry.path);
}

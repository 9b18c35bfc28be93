/** What a comparison or a commit of the repository at the address changed. */
import { useMemo } from "react";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { DiffSource } from "./source.ts";

/** `basehead`: of full commit ids, so that what is fetched once stays true: `BASE...HEAD`, or a commit against its first parent. */
export function useRepositoryDiff(basehead: string, after: string): DiffSource {
  const { owner, repo } = useRepositoryPath();
  return useMemo(() => {
    const path = { owner, repo, basehead };
    return {
      key: [owner, repo, basehead],
      after,
      fetchFiles: async (query) => {
        const { data = [], response } = await api.GET("/repos/{owner}/{repo}/changes/{basehead}", {
          params: { path, query },
        });
        const isCut = response.headers.get("X-Files-Truncated") === "true";
        return { files: data, total: totalOf(response), isCut };
      },
      fetchFile: async (query) => {
        const { data } = await api.GET("/repos/{owner}/{repo}/patches/{basehead}", {
          params: { path, query },
        });
        return data as NonNullable<typeof data>;
      },
    };
  }, [owner, repo, basehead, after]);
}

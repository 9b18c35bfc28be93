/** The history of a path at a ref, a page at a time. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import type { FilePlace } from "../contents/use-file-place.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export const commitsPerPage = 30;

/** Without a ref, of the default branch; of a repository without commits then none. */
export function useCommits({ ref, path: file }: FilePlace, page: number) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["commits", path, ref, file, page],
    queryFn: async ({ signal }) => {
      const query = {
        page,
        per_page: commitsPerPage,
        ...(ref === "" ? {} : { ref }),
        ...(file === "" ? {} : { path: file }),
      };
      const { data, response } = await api.GET("/repos/{owner}/{repo}/commits", {
        params: { path, query },
        signal,
      });
      return { commits: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
}

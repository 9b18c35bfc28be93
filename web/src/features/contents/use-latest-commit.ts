/** The last commit that changed what is at a place. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { FilePlace } from "./use-file-place.ts";

/** Undefined until it is known. */
export function useLatestCommit({ ref, path }: FilePlace): Schemas["Commit"] | undefined {
  const query = { ref, per_page: 1, ...(path === "" ? {} : { path }) };
  const commits = $api.useQuery("get", "/repos/{owner}/{repo}/commits", {
    params: { path: useRepositoryPath(), query },
  });
  return commits.data?.[0];
}

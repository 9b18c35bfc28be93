/** How far a fork and its upstream are apart, for pages that show more than that: asked for rarely, since it costs a comparison. */
import { $api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

const freshMs = 30_000;

export function useForkStanding() {
  const path = useRepositoryPath();
  return $api.useQuery("get", "/repos/{owner}/{repo}/sync", { params: { path } }, { staleTime: freshMs });
}

/** The repository that the address names. Its layout has fetched it before any page in it is drawn. */
import { useOutletContext, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";

export function useRepository(): Schemas["Repository"] {
  return useOutletContext<Schemas["Repository"]>();
}

/** As operations of the API want it: `params: { path: { ...useRepositoryPath(), … } }`. */
export function useRepositoryPath(): { owner: string; repo: string } {
  const { owner = "", repo = "" } = useParams();
  return { owner, repo };
}

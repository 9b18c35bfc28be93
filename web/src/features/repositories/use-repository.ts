/** The repository that the address names. Its layout has fetched it before any page in it is drawn. */
import { createContext, useContext } from "react";
import { useOutletContext, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";

const Other = createContext<Schemas["Repository"] | null>(null);

/** What is drawn in it is about another repository than the one of the address. */
export const OtherRepository = Other.Provider;

export function useRepository(): Schemas["Repository"] {
  const ofAddress = useOutletContext<Schemas["Repository"]>();
  return useContext(Other) ?? ofAddress;
}

/** As operations of the API want it: `params: { path: { ...useRepositoryPath(), … } }`. */
export function useRepositoryPath(): { owner: string; repo: string } {
  const { owner = "", repo = "" } = useParams();
  const other = useContext(Other);
  if (other === null) return { owner, repo };
  const [ownerOfOther = "", nameOfOther = ""] = other.full_name.split("/");
  return { owner: ownerOfOther, repo: nameOfOther };
}

/** Which repository the page is about, for what stands in the frame above it. */
import { useMatches } from "react-router";

export interface AddressedRepository {
  owner: string;
  repo: string;
}

export function useRepositoryOfAddress(): AddressedRepository | null {
  const { owner, repo } = useMatches().at(-1)?.params ?? {};
  return owner === undefined || repo === undefined ? null : { owner, repo };
}

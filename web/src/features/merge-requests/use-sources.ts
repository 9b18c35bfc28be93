/** Repositories from which the reader may propose a branch. */
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

const offered = 100;

/** Full names: the repository itself, its newest forks where the reader may push, and `named`. Undefined until they are known. */
export function useSources(named: string): string[] | undefined {
  const repository = useRepository();
  const isSignedIn = useSession() !== null;
  const forks = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/forks",
    { params: { path: useRepositoryPath(), query: { per_page: offered } } },
    { enabled: isSignedIn },
  );
  if (isSignedIn && forks.isPending) return undefined;
  const own = [repository, ...(forks.data ?? [])].filter(canWrite).map(({ full_name: name }) => name);
  const isKnown = named === "" || own.some((name) => name.toLowerCase() === named.toLowerCase());
  return isKnown ? own : [...own, named];
}

/** The runner of an attempt, with a link for those who may see it. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

export function RunnerName({ id, name }: { id: string; name: string }) {
  return useMaySee(id) ? <Link to={`/runners/${id}`}>{name}</Link> : name;
}

/** False too of one that is gone. Who looks after the repository alone sees its own runners, and is refused those of others. */
function useMaySee(id: string): boolean {
  const path = useRepositoryPath();
  const { permissions } = useRepository();
  const isOperator = useSession()?.user.admin === true;
  const options = (enabled: boolean) => ({ enabled, retry: false, staleTime: 60_000 });
  const one = $api.useQuery("get", "/runners/{id}", { params: { path: { id } } }, options(isOperator));
  const isCaretaker = permissions === "admin" && !isOperator;
  const own = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/runners",
    { params: { path } },
    options(isCaretaker),
  );
  return one.data !== undefined || (own.data?.some((runner) => runner.id === id) ?? false);
}

/** The runner of an attempt, with a link for those who may see it. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { useRepository } from "../repositories/use-repository.ts";

export function RunnerName({ id, name }: { id: string; name: string }) {
  const { permissions } = useRepository();
  // Nobody else may, and of those who ask not all: the runner may be the instance's, or gone.
  const asked = { params: { path: { id } } };
  const options = { enabled: permissions === "admin", retry: false, staleTime: 60_000 };
  const { data } = $api.useQuery("get", "/runners/{id}", asked, options);
  return data ? <Link to={`/runners/${id}`}>{name}</Link> : name;
}

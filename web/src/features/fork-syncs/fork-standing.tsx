/** How far a fork is behind and ahead of its upstream, in the head of its pages. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/fork-syncs.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

const freshMs = 30_000;

export function ForkStanding({ fullName }: { fullName: string }) {
  const path = useRepositoryPath();
  const { data } = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/sync",
    { params: { path } },
    { staleTime: freshMs },
  );
  if (!data || data.behind === null || data.ahead === null) return null;
  const { behind, ahead } = data;
  return (
    <>
      {" · "}
      <Link to={`/${fullName}/sync`}>{text.standing({ behind, ahead })}</Link>
    </>
  );
}

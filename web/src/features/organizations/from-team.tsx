/** By which team above, or in it, somebody is in a team or it may do something. */
import { Link } from "react-router";
import { text } from "../../text/organizations.ts";
import { useOrganization } from "./use-organization.ts";

/** `team`: `<org>/<parent>/<child>`. */
export function FromTeam({ team }: { team: string }) {
  const { org } = useOrganization();
  const path = team.slice(team.indexOf("/") + 1);
  return (
    <span>
      {text.from}{" "}
      <Link to={`/orgs/${org}/teams/${path}`} data-inline>
        {path}
      </Link>
    </span>
  );
}

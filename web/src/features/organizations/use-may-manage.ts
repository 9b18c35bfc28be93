/** Whether the viewer manages a team: owners of the organization do, and who maintains it or a team above it. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";
import { useSession } from "../../api/session.ts";
import { useOrganization } from "./use-organization.ts";

export function useMayManage(team: string): boolean {
  const { org, role } = useOrganization();
  const session = useSession();
  const maintains = useQuery({
    queryKey: ["maintains", org, team],
    enabled: role === "member" && session !== null,
    queryFn: async () => {
      for (const path of pathsUpTo(team)) {
        const members = await fetchAll((query) =>
          api.GET("/orgs/{org}/teams/{team}/members", { params: { path: { org, team: path }, query } }),
        );
        const own = members.find(
          ({ user, inherited_from: from }) => from === null && user.id === session?.user.id,
        );
        if (own?.role === "maintainer") return true;
      }
      return false;
    },
  });
  return role === "owner" || maintains.data === true;
}

/** The team, then those above it. */
function pathsUpTo(team: string): string[] {
  const parts = team.split("/");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}

/** Whether the viewer belongs to a team, so that pages offer to write there. Undefined until it is known. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";
import { useSession } from "../../api/session.ts";
import { useMayManage } from "../organizations/use-may-manage.ts";
import { useOrganization } from "../organizations/use-organization.ts";
import type { Board } from "./board.ts";

export function useMayWrite({ org, team }: Board): boolean | undefined {
  const { role } = useOrganization();
  const session = useSession();
  const mayManage = useMayManage(team);
  const belongs = useQuery({
    queryKey: ["belongs", org, team],
    enabled: role === "member" && session !== null,
    queryFn: async () => {
      const params = { path: { org, team } };
      const members = await fetchAll((query) =>
        api.GET("/orgs/{org}/teams/{team}/members", { params: { ...params, query } }),
      );
      return members.some(({ user }) => user.id === session?.user.id);
    },
  });
  return mayManage || role === "owner" || belongs.data;
}

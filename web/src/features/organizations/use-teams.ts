/** Teams of an organization that the viewer sees, each after its parent. */
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";

export function useTeams(org: string, enabled = true) {
  return useQuery({
    queryKey: ["teams", org],
    queryFn: () => fetchAll((query) => api.GET("/orgs/{org}/teams", { params: { path: { org }, query } })),
    enabled,
  });
}

/** `parent/child`, as addresses have it. */
export function teamPath({ parent, name }: Pick<Schemas["Team"], "parent" | "name">): string {
  return parent === null ? name : `${parent}/${name}`;
}

/** Who a name belongs to: a user with their repositories; an organization has pages of its own. */
import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { UserView } from "./user-view.tsx";

export function OwnerPage() {
  const { owner = "" } = useParams();
  const query = $api.useQuery(
    "get",
    "/owners/{owner}",
    { params: { path: { owner } } },
    { staleTime: 30_000 },
  );
  return (
    <QueryView query={query}>
      {({ user, organization }) => {
        if (user) return <UserView user={user} />;
        return organization ? <ToOrganization organization={organization} /> : null;
      }}
    </QueryView>
  );
}

/** Its pages need not ask for it again. */
function ToOrganization({ organization }: { organization: Schemas["Organization"] }) {
  const navigate = useNavigate();
  useEffect(() => {
    const params = { path: { org: organization.name } };
    queryClient.setQueryData($api.queryOptions("get", "/orgs/{org}", { params }).queryKey, organization);
    void navigate(`/orgs/${encodeURIComponent(organization.name)}`, { replace: true });
  }, [organization, navigate]);
  return <Skeleton />;
}

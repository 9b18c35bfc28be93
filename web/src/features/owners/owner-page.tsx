/** Who a name belongs to: a user with their repositories; an organization has pages of its own. */
import { Navigate, useParams } from "react-router";
import { $api } from "../../api/client.ts";
import { isNotFound } from "../../api/problem.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { UserView } from "./user-view.tsx";

export function OwnerPage() {
  const { owner = "" } = useParams();
  const user = $api.useQuery(
    "get",
    "/users/{username}",
    { params: { path: { username: owner } } },
    { staleTime: 30_000 },
  );
  const isNoUser = isNotFound(user.error);
  const organization = $api.useQuery(
    "get",
    "/orgs/{org}",
    { params: { path: { org: owner } } },
    { enabled: isNoUser, staleTime: 30_000 },
  );
  if (isNoUser)
    return (
      <QueryView query={organization}>
        {({ name }) => <Navigate to={`/orgs/${encodeURIComponent(name)}`} replace />}
      </QueryView>
    );
  return <QueryView query={user}>{(found) => <UserView user={found} />}</QueryView>;
}

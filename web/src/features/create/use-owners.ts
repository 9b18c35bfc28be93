/** Owners under whom the signed-in person can create a repository: themselves, and organizations that let them. */
import { $api } from "../../api/client.ts";
import { useSignedIn } from "../../api/session.ts";

export interface PossibleOwner {
  name: string;
  isOrganization: boolean;
}

export function usePossibleOwners(): PossibleOwner[] {
  const { user } = useSignedIn();
  const organizations = $api.useQuery("get", "/user/orgs", { params: { query: { per_page: 100 } } });
  const possible = (organizations.data ?? []).filter(
    ({ role, members_can_create_repositories: anyMember }) => role === "owner" || anyMember,
  );
  return [
    { name: user.username, isOrganization: false },
    ...possible.map(({ name }) => ({ name, isOrganization: true })),
  ];
}

/** Parts of an organization that are for its owners, and parts that are for its members: to others they are not there. */
import { Outlet } from "react-router";
import { NotFound } from "../../ui/not-found.tsx";
import { useOrganization } from "./use-organization.ts";

export function OwnersOnly() {
  const { organization, role } = useOrganization();
  return role === "owner" ? <Outlet context={{ organization, role }} /> : <NotFound />;
}

export function MembersOnly() {
  const { organization, role } = useOrganization();
  return role === null ? <NotFound /> : <Outlet context={{ organization, role }} />;
}

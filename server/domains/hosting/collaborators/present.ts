/** Collaborators as the REST interface shows them. */
import type { Collaborator } from "@forgeline/schemas/collaborators/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../accounts/domain.ts";
import type { CollaboratorOf } from "./service.ts";

export function presentCollaborator({ user, row }: CollaboratorOf, addresses: Addresses): Collaborator {
  return {
    user: presentUser(user, addresses),
    permission: row.permission,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Collaborations that organizations end when somebody leaves; the container passes this to them. */
import { dropFromOrganization, dropUsers } from "./collaborators.store.ts";

export const collaborations = { dropFromOrganization, dropUsers };

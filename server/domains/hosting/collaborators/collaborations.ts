/** What organizations end when somebody leaves them; the container hands it to them. */
import { dropFromOrganization, dropUsers } from "./collaborators.store.ts";

export const collaborations = { dropFromOrganization, dropUsers };

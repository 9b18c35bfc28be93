/** People and bots who were given a level on one repository. */
import { z } from "zod";
import { RepositoryLevel } from "../core/repository-levels.ts";
import { timestamp } from "../core/time.ts";
import { User } from "../users/resource.ts";

export const Collaborator = z
  .object({
    user: User,
    permission: RepositoryLevel.describe(
      "The permission granted here; teams and organizations can grant more.",
    ),
    created_at: timestamp.describe("Since when."),
    updated_at: timestamp,
  })
  .meta({ id: "Collaborator" });
export type Collaborator = z.infer<typeof Collaborator>;

export const CollaboratorSet = z
  .strictObject({ permission: RepositoryLevel.default("write") })
  .meta({ id: "CollaboratorSet", examples: [{ permission: "write" }] });

/** A repository on its way to another owner. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { timestamp } from "../core/time.ts";
import { Repository, RepositoryOwner } from "../repositories/resource.ts";

export const RepositoryTransfer = z
  .object({
    status: z
      .enum(["pending", "done"])
      .describe("`done` at once where the caller is, or owns, the receiving owner."),
    new_owner: RepositoryOwner,
    may_accept: z.boolean().describe("Whether the caller is, or owns, the new owner of a pending one."),
    requested_by: z.string().nullable().describe("User name; null if the user was deleted."),
    expires_at: timestamp.describe("Until when it can be accepted."),
    created_at: timestamp,
    repository: Repository,
  })
  .meta({ id: "RepositoryTransfer" });
export type RepositoryTransfer = z.infer<typeof RepositoryTransfer>;

export const RepositoryTransferRequest = z
  .strictObject({ new_owner: ownerName.describe("A user or an organization.") })
  .meta({ id: "RepositoryTransferRequest", examples: [{ new_owner: "grace" }] });

export const TransferQuery = z.strictObject({
  ...PageQuery.shape,
  repository: z
    .string()
    .max(300)
    .optional()
    .describe(
      "`<owner>/<name>`: the offer of this one alone, which administrators of the instance see of any.",
    ),
});
export type TransferQuery = z.infer<typeof TransferQuery>;

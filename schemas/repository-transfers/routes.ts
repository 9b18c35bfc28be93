/** Operations that give a repository to another owner. */
import { z } from "zod";
import { route } from "../core/route.ts";
import { Repository } from "../repositories/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { RepositoryTransfer, RepositoryTransferRequest, TransferQuery } from "./resource.ts";

const common = { tag: "repositories", scope: "repo:admin", params: RepositoryParams } as const;

export const requestTransfer = route({
  ...common,
  id: "requestTransfer",
  method: "post",
  path: "/repos/:owner/:repo/transfer",
  summary: "Offer a repository to another owner",
  description:
    "The receiver, or an owner of the receiving organization, accepts within 7 days and can look at the repository until then. Done at once where the caller is that. Replaces an earlier offer.",
  access: "repo_admin",
  body: RepositoryTransferRequest,
  status: 202,
  response: RepositoryTransfer,
  errors: ["conflict", "quota_exceeded", "repository_archived"],
});

export const getTransfer = route({
  ...common,
  id: "getTransfer",
  method: "get",
  path: "/repos/:owner/:repo/transfer",
  summary: "The offer that is open",
  description: "For admins of the repository and users who can accept the offer.",
  access: "repo_signed_in",
  status: 200,
  response: RepositoryTransfer,
  errors: [],
});

export const acceptTransfer = route({
  ...common,
  id: "acceptTransfer",
  method: "post",
  path: "/repos/:owner/:repo/transfer/accept",
  summary: "Accept a repository",
  description:
    "Returns 409 if the new owner has a repository with this name, and 403 `quota_exceeded` if its plan does not have enough space for the Git LFS objects.",
  access: "repo_signed_in",
  status: 200,
  response: Repository,
  errors: ["conflict", "quota_exceeded"],
});

export const cancelTransfer = route({
  ...common,
  id: "cancelTransfer",
  method: "delete",
  path: "/repos/:owner/:repo/transfer",
  summary: "Withdraw or decline an offer",
  description: "For admins of the repository and users who can accept the offer.",
  access: "repo_signed_in",
  status: 204,
  errors: [],
});

export const listOwnTransfers = route({
  id: "listOwnTransfers",
  method: "get",
  path: "/user/transfers",
  tag: "repositories",
  summary: "Open offers of repositories, newest first",
  description: "Offers that the caller can accept, and offers of repositories that the caller administers.",
  access: "user",
  scope: "repo:admin",
  query: TransferQuery,
  status: 200,
  response: z.array(RepositoryTransfer),
  paginated: true,
  errors: [],
});

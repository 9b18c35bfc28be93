/** Operations on single comments; those of an issue or a merge request are listed and written there. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Comment, CommentUpdate } from "./resource.ts";

const path = "/repos/:owner/:repo/comments/:id";
export const CommentParams = z.strictObject({ ...RepositoryParams.shape, id: idOf("cmt") });
// Comments of merge requests need the scopes of those; the service asks for them.
const shared = { tag: "comments", params: CommentParams, path } as const;

export const getComment = route({
  ...shared,
  id: "getComment",
  method: "get",
  summary: "Get a comment",
  access: "repo_read",
  scope: "issue:read",
  status: 200,
  response: Comment,
  errors: [],
});

export const updateComment = route({
  ...shared,
  id: "updateComment",
  method: "patch",
  summary: "Change a comment",
  description: "For its author, and from Maintain on.",
  access: "repo_signed_in",
  scope: "issue:write",
  archived: "refused",
  body: CommentUpdate,
  bodyLimitBytes: 512 * 1024,
  status: 200,
  response: Comment,
  errors: ["conflict", "repository_archived"],
});

export const deleteComment = route({
  ...shared,
  id: "deleteComment",
  method: "delete",
  summary: "Delete a comment",
  description: "For its author, and for admins.",
  access: "repo_signed_in",
  scope: "issue:write",
  archived: "refused",
  status: 204,
  errors: ["repository_archived"],
});

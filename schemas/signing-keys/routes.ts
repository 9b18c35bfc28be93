/** Operations on the keys that sign jobs: of the instance, and of one repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxSigningKeys, SigningKey } from "./resource.ts";

const inInstance = "/signing-keys";
const inRepository = "/repos/:owner/:repo/signing-keys";
const ofInstance = { tag: "runners", access: "instance_admin", scope: "org:admin" } as const;
const ofRepository = { tag: "runners", access: "repo_maintain", scope: "pipeline:write" } as const;

const list = {
  method: "get",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(SigningKey),
  errors: [],
} as const;
const create = {
  method: "post",
  description: `Jobs that are queued from now on have a signature of it beside those of the other keys. The private half never leaves the server. 409 past ${maxSigningKeys} keys.`,
  status: 201,
  response: SigningKey,
} as const;
const remove = {
  method: "delete",
  description:
    "Jobs that are queued from now on have no signature of it. Those that wait keep theirs: remove the key from your runners too.",
  status: 204,
} as const;

export const listSigningKeys = route({
  ...list,
  id: "listSigningKeys",
  path: inInstance,
  tag: "runners",
  summary: "Keys of the instance that sign jobs, newest first",
  access: "user",
  limitedTokens: "allowed",
  bots: "allowed",
});

export const createSigningKey = route({
  ...ofInstance,
  ...create,
  id: "createSigningKey",
  path: inInstance,
  summary: "Create a key that signs the jobs of every repository",
  errors: ["conflict"],
});

export const deleteSigningKey = route({
  ...ofInstance,
  ...remove,
  id: "deleteSigningKey",
  path: `${inInstance}/:id`,
  summary: "Delete a key of the instance that signs jobs",
  params: z.object({ id: idOf("sgk") }),
  errors: ["not_found"],
});

export const listRepositorySigningKeys = route({
  ...list,
  id: "listRepositorySigningKeys",
  path: inRepository,
  tag: "runners",
  summary: "Keys that sign the jobs of a repository, newest first",
  description: "Without those of the instance, which sign its jobs too.",
  access: "repo_read",
  scope: "pipeline:read",
  params: RepositoryParams,
});

export const createRepositorySigningKey = route({
  ...ofRepository,
  ...create,
  id: "createRepositorySigningKey",
  path: inRepository,
  summary: "Create a key that signs the jobs of a repository",
  params: RepositoryParams,
  errors: ["conflict", "repository_archived"],
});

export const deleteRepositorySigningKey = route({
  ...ofRepository,
  ...remove,
  archived: "allowed",
  id: "deleteRepositorySigningKey",
  path: `${inRepository}/:id`,
  summary: "Delete a key that signs the jobs of a repository",
  params: RepositoryParams.extend({ id: idOf("sgk") }),
  errors: [],
});

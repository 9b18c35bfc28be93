/** Operations on collaborators. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Collaborator, CollaboratorSet } from "./resource.ts";

const common = { tag: "collaborators", access: "repo_admin", scope: "repo:admin" } as const;
const CollaboratorParams = z.strictObject({ ...RepositoryParams.shape, username: z.string().max(201) });

export const listCollaborators = route({
  ...common,
  archived: "allowed",
  id: "listCollaborators",
  method: "get",
  path: "/repos/:owner/:repo/collaborators",
  summary: "Collaborators of a repository, by name",
  description: "Only users added here; teams and the organization can give access as well.",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(Collaborator),
  paginated: true,
  errors: [],
});

export const setCollaborator = route({
  ...common,
  id: "setCollaborator",
  method: "put",
  path: "/repos/:owner/:repo/collaborators/:username",
  summary: "Add a collaborator, or change their permission",
  description: "Takes effect with the next request, also on open sockets.",
  params: CollaboratorParams,
  body: CollaboratorSet,
  status: 200,
  response: Collaborator,
  errors: ["repository_archived"],
});

export const removeCollaborator = route({
  ...common,
  archived: "allowed",
  id: "removeCollaborator",
  method: "delete",
  path: "/repos/:owner/:repo/collaborators/:username",
  summary: "Remove a collaborator",
  description: "Takes effect with the next request, also on open sockets.",
  params: CollaboratorParams,
  status: 204,
  errors: [],
});

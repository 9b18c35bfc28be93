/** Operations on repositories. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Repository, RepositoryCreate } from "./resource.ts";

export const RepositoryParams = z.strictObject({ owner: z.string(), repo: z.string() });

export const createRepository = route({
  id: "createRepository",
  method: "post",
  path: "/repos",
  tag: "repositories",
  summary: "Create a repository",
  access: "user",
  scope: "repo:write",
  body: RepositoryCreate,
  status: 201,
  response: Repository,
  errors: ["conflict"],
});

export const getRepository = route({
  id: "getRepository",
  method: "get",
  path: "/repos/:owner/:repo",
  tag: "repositories",
  summary: "One repository",
  access: "repo_read",
  scope: "repo:read",
  params: RepositoryParams,
  status: 200,
  response: Repository,
  errors: [],
});

export const listUserRepositories = route({
  id: "listUserRepositories",
  method: "get",
  path: "/user/repos",
  tag: "repositories",
  summary: "Repositories of the authenticated user, by name",
  access: "user",
  scope: "repo:read",
  query: PageQuery,
  status: 200,
  response: z.array(Repository),
  paginated: true,
  errors: [],
});

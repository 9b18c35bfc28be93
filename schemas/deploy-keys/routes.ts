/** Operations on the deploy keys of a repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { DeployKey, DeployKeyCreate } from "./resource.ts";

const common = { tag: "deploy-keys", access: "repo_admin", scope: "repo:admin" } as const;
const KeyParams = z.strictObject({ ...RepositoryParams.shape, id: idOf("key") });

export const listDeployKeys = route({
  ...common,
  archived: "allowed",
  id: "listDeployKeys",
  method: "get",
  path: "/repos/:owner/:repo/deploy-keys",
  summary: "Deploy keys of a repository, newest first",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(DeployKey),
  paginated: true,
  errors: [],
});

export const getDeployKey = route({
  ...common,
  archived: "allowed",
  id: "getDeployKey",
  method: "get",
  path: "/repos/:owner/:repo/deploy-keys/:id",
  summary: "One deploy key of a repository",
  params: KeyParams,
  status: 200,
  response: DeployKey,
  errors: [],
});

export const createDeployKey = route({
  ...common,
  id: "createDeployKey",
  method: "post",
  path: "/repos/:owner/:repo/deploy-keys",
  summary: "Add a deploy key",
  description:
    "The key acts for itself and for this repository alone, whoever added it. A key that is a user's or another repository's already is refused with `conflict`, and so is the 101st of a repository.",
  params: RepositoryParams,
  body: DeployKeyCreate,
  status: 201,
  response: DeployKey,
  errors: ["repository_archived", "conflict"],
});

export const deleteDeployKey = route({
  ...common,
  archived: "allowed",
  id: "deleteDeployKey",
  method: "delete",
  path: "/repos/:owner/:repo/deploy-keys/:id",
  summary: "Remove a deploy key",
  description:
    "Also from an archived repository. What it may do is never changed: remove it and add it again.",
  params: KeyParams,
  status: 204,
  errors: [],
});

/** Operations on caches of a repository: reading as for its runs; removing needs Write. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxCacheKeyChars } from "./limits.ts";
import { Cache, CacheUse } from "./resource.ts";

const read = { tag: "pipelines", access: "repo_read", scope: "pipeline:read" } as const;
const write = { tag: "pipelines", access: "repo_write", scope: "pipeline:write" } as const;
const path = "/repos/:owner/:repo/caches";
const prefix = z.string().min(1).max(maxCacheKeyChars);

export const listCaches = route({
  ...read,
  id: "listCaches",
  method: "get",
  path,
  summary: "Caches of a repository, the last used first",
  params: RepositoryParams,
  query: PageQuery.extend({ key_prefix: prefix.optional().describe("Only those whose key begins so.") }),
  status: 200,
  response: z.array(Cache),
  paginated: true,
  errors: [],
});

export const deleteCaches = route({
  ...write,
  id: "deleteCaches",
  method: "delete",
  path,
  summary: "Remove all caches, or those whose key begins so",
  params: RepositoryParams,
  query: z.strictObject({ key_prefix: prefix.optional().describe("Without it: all.") }),
  status: 204,
  errors: ["repository_archived"],
});

export const deleteCache = route({
  ...write,
  id: "deleteCache",
  method: "delete",
  path: `${path}/:id`,
  summary: "Remove a cache",
  params: RepositoryParams.extend({ id: idOf("cache") }),
  status: 204,
  errors: ["repository_archived"],
});

export const listRunCaches = route({
  ...read,
  id: "listRunCaches",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/:id/caches",
  summary: "What the jobs of a run did with their caches, in the order of its jobs",
  description: "Of each job its last attempt that got so far.",
  params: RepositoryParams.extend({ id: z.string().describe("Id or number of the run.") }),
  query: PageQuery,
  status: 200,
  response: z.array(CacheUse),
  paginated: true,
  errors: [],
});

/** Operations on people whose merge requests from forks run without being asked about. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { TrustedAuthor } from "./resource.ts";

const common = { tag: "pipelines", access: "repo_write", archived: "allowed" } as const;

export const listTrustedAuthors = route({
  ...common,
  scope: "pipeline:read",
  id: "listTrustedAuthors",
  method: "get",
  path: "/repos/:owner/:repo/trusted-authors",
  summary: "People whose merge requests from forks run without approval, by name",
  description:
    "Whoever approves a run of a fork can say so (`trust_author`). It lapses after 90 days. Such runs get no secrets all the same. People with Write are trusted without being in this list.",
  params: RepositoryParams,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(TrustedAuthor),
  errors: [],
});

export const removeTrustedAuthor = route({
  ...common,
  scope: "pipeline:write",
  id: "removeTrustedAuthor",
  method: "delete",
  path: "/repos/:owner/:repo/trusted-authors/:username",
  summary: "Ask again before runs of somebody's merge requests from forks start",
  description: "Counts for runs from now on; those that were created go on.",
  params: z.strictObject({ ...RepositoryParams.shape, username: z.string().max(201) }),
  status: 204,
  errors: [],
});

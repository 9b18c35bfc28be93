/** Operations on which repositories may have privileged jobs: for administrators of the instance alone. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { PrivilegedRepository } from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;
const path = "/admin/privileged-repositories";
const ofOne = { path: `${path}/:owner/:repo`, params: RepositoryParams } as const;

export const listPrivilegedRepositories = route({
  ...administration,
  id: "listPrivilegedRepositories",
  method: "get",
  path,
  summary: "Repositories whose jobs may be privileged, by name",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(PrivilegedRepository),
  errors: ["not_found"],
});

export const allowPrivilegedJobs = route({
  ...administration,
  ...ofOne,
  id: "allowPrivilegedJobs",
  method: "put",
  summary: "Allow privileged jobs to a repository",
  description:
    "Such jobs are root on the machine of their runner, and run only on runners whose operator takes them. Whoever can push to the repository can then have that machine. Allowing it again changes nothing.",
  status: 200,
  response: PrivilegedRepository,
  errors: [],
});

export const refusePrivilegedJobs = route({
  ...administration,
  ...ofOne,
  id: "refusePrivilegedJobs",
  method: "delete",
  summary: "Refuse privileged jobs to a repository again",
  description: "Counts for jobs that no runner has taken yet; those that run go on.",
  status: 204,
  errors: [],
});

/** Operations on the milestones of a repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxMilestones, Milestone, MilestoneCreate, MilestoneUpdate } from "./resource.ts";

const read = { tag: "milestones", access: "repo_read", scope: "issue:read" } as const;
const manage = { tag: "milestones", access: "repo_maintain", scope: "issue:write" } as const;
const path = "/repos/:owner/:repo/milestones";
const One = z.strictObject({ ...RepositoryParams.shape, id: idOf("mst") });

export const MilestoneFilter = z.enum(["open", "closed", "all"]);

export const listMilestones = route({
  ...read,
  id: "listMilestones",
  method: "get",
  path,
  summary: "Milestones of a repository, those due first at the top",
  params: RepositoryParams,
  query: PageQuery.extend({ state: MilestoneFilter.default("open") }),
  status: 200,
  response: z.array(Milestone),
  paginated: true,
  errors: [],
});

export const getMilestone = route({
  ...read,
  id: "getMilestone",
  method: "get",
  path: `${path}/:id`,
  summary: "One milestone",
  params: One,
  status: 200,
  response: Milestone,
  errors: [],
});

export const createMilestone = route({
  ...manage,
  id: "createMilestone",
  method: "post",
  path,
  summary: "Create a milestone",
  description: `A title can be used once, whatever its case: 409. A repository has at most ${maxMilestones} milestones.`,
  params: RepositoryParams,
  body: MilestoneCreate,
  status: 201,
  response: Milestone,
  errors: ["conflict", "repository_archived"],
});

export const updateMilestone = route({
  ...manage,
  id: "updateMilestone",
  method: "patch",
  path: `${path}/:id`,
  summary: "Change, close or reopen a milestone",
  description: "Closing it leaves its issues as they are.",
  params: One,
  body: MilestoneUpdate,
  status: 200,
  response: Milestone,
  errors: ["conflict", "repository_archived"],
});

export const deleteMilestone = route({
  ...manage,
  id: "deleteMilestone",
  method: "delete",
  path: `${path}/:id`,
  summary: "Delete a milestone",
  description: "Its issues stay, without a milestone.",
  params: One,
  status: 204,
  errors: ["repository_archived"],
});

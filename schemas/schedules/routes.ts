/** Operations on the schedules of a repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Pipeline } from "../pipelines/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxManualSchedules, Schedule, ScheduleCreate, ScheduleRun, ScheduleUpdate } from "./resource.ts";

const ofRepository = { tag: "pipelines", access: "repo_admin", scope: "repo:admin" } as const;
const One = z.strictObject({ ...RepositoryParams.shape, id: idOf("sched") });
const path = "/repos/:owner/:repo/schedules";

export const listSchedules = route({
  ...ofRepository,
  archived: "allowed",
  id: "listSchedules",
  method: "get",
  path,
  summary: "Schedules of a repository, by name",
  params: RepositoryParams,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(Schedule),
  errors: [],
});

export const createSchedule = route({
  ...ofRepository,
  id: "createSchedule",
  method: "post",
  path,
  summary: "Run a pipeline at certain times",
  description: `The caller becomes its owner. It runs the pipeline whatever the file lists under \`on\`. 409 if the repository has a schedule of this name that was made by hand, or ${maxManualSchedules} of those.`,
  params: RepositoryParams,
  body: ScheduleCreate,
  status: 201,
  response: Schedule,
  errors: ["conflict"],
});

export const getSchedule = route({
  ...ofRepository,
  archived: "allowed",
  id: "getSchedule",
  method: "get",
  path: `${path}/:id`,
  summary: "One schedule, with its next and last runs",
  params: One,
  status: 200,
  response: Schedule,
  errors: [],
});

export const updateSchedule = route({
  ...ofRepository,
  id: "updateSchedule",
  method: "patch",
  path: `${path}/:id`,
  summary: "Change a schedule, or turn it on or off",
  description:
    "What is absent stays. One that a file lists can only be turned on and off here: 409 for anything else. Whoever turns on a schedule that Forgeline has turned off becomes its owner.",
  params: One,
  body: ScheduleUpdate,
  status: 200,
  response: Schedule,
  errors: ["conflict"],
});

export const deleteSchedule = route({
  ...ofRepository,
  archived: "allowed",
  id: "deleteSchedule",
  method: "delete",
  path: `${path}/:id`,
  summary: "Delete a schedule that was made by hand",
  description: "Its runs stay. 409 for one that a file lists: remove it there.",
  params: One,
  status: 204,
  errors: ["conflict"],
});

export const runSchedule = route({
  ...ofRepository,
  id: "runSchedule",
  method: "post",
  path: `${path}/:id/run`,
  summary: "Run a schedule now",
  description: "Also while it is off. Its next run stays as it is.",
  params: One,
  status: 201,
  response: Pipeline,
  errors: [],
});

export const listScheduleRuns = route({
  ...ofRepository,
  archived: "allowed",
  id: "listScheduleRuns",
  method: "get",
  path: `${path}/:id/runs`,
  summary: "What became of a schedule's times, newest first; kept for 90 days",
  params: One,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(ScheduleRun),
  errors: [],
});

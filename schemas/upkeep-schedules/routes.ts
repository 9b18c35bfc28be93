/** Operations of administrators on the schedules of upkeep. */
import { z } from "zod";
import { route } from "../core/route.ts";
import { UpkeepSchedule, UpkeepScheduleName, UpkeepSchedules, UpkeepScheduleUpdate } from "./resource.ts";

const ofInstance = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;
const Params = z.strictObject({ schedule: UpkeepScheduleName });

export const listUpkeepSchedules = route({
  ...ofInstance,
  id: "listUpkeepSchedules",
  method: "get",
  path: "/admin/schedules",
  summary: "What the instance does by itself, with last and next run",
  description:
    "Comes from Temporal; 503 while it does not answer. A schedule that is switched off by a setting is not listed, nor is any before a worker has started.",
  status: 200,
  response: UpkeepSchedules,
  errors: ["unavailable"],
});

export const getUpkeepSchedule = route({
  ...ofInstance,
  id: "getUpkeepSchedule",
  method: "get",
  path: "/admin/schedules/:schedule",
  summary: "One schedule of the instance's upkeep",
  params: Params,
  status: 200,
  response: UpkeepSchedule,
  errors: ["unavailable"],
});

export const updateUpkeepSchedule = route({
  ...ofInstance,
  id: "updateUpkeepSchedule",
  method: "patch",
  path: "/admin/schedules/:schedule",
  summary: "Pause or resume a schedule",
  description:
    "What is running continues. A paused schedule can still be run by hand, and stays paused after a restart.",
  params: Params,
  body: UpkeepScheduleUpdate,
  status: 200,
  response: UpkeepSchedule,
  errors: ["unavailable"],
});

export const runUpkeepSchedule = route({
  ...ofInstance,
  id: "runUpkeepSchedule",
  method: "post",
  path: "/admin/schedules/:schedule/run",
  summary: "Run a schedule now",
  description: "While it is running, it runs once more afterwards.",
  params: Params,
  status: 202,
  response: UpkeepSchedule,
  errors: ["unavailable"],
});

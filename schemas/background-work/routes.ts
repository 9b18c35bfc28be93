/** What administrators see of background work in Temporal, and do about it. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { WorkCancel, WorkDetail, WorkKind, WorkOverview, WorkPage, WorkStateFilter } from "./resource.ts";

const ofInstance = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const ListWorkQuery = z.strictObject({
  kind: WorkKind.exclude(["other"]).optional(),
  state: WorkStateFilter.optional().describe("`unsuccessful`: failed, timed out or terminated."),
  cursor: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional()
    .describe("`next_cursor` of the page before."),
  per_page: PageQuery.shape.per_page,
});
export type ListWorkQuery = z.output<typeof ListWorkQuery>;

export const listWork = route({
  ...ofInstance,
  id: "listWork",
  method: "get",
  path: "/admin/work",
  summary: "Background work: what runs first, then what ended, newest first",
  description:
    "Comes from Temporal, which remembers work that has ended for its retention and shows a change after a moment. 503 while Temporal does not answer.",
  query: ListWorkQuery,
  status: 200,
  response: WorkPage,
  errors: ["unavailable"],
});

export const getWorkOverview = route({
  ...ofInstance,
  id: "getWorkOverview",
  method: "get",
  path: "/admin/work/overview",
  summary: "Connected workers, queued work, and totals by state",
  status: 200,
  response: WorkOverview,
  errors: ["unavailable"],
});

const WorkParams = z.strictObject({ id: z.string().regex(/^[ -~]{1,1000}$/) });

export const getWork = route({
  ...ofInstance,
  id: "getWork",
  method: "get",
  path: "/admin/work/:id",
  summary: "Get background work, with its failure",
  params: WorkParams,
  query: z.strictObject({ execution: z.uuid().optional().describe("Default: the newest with this id.") }),
  status: 200,
  response: WorkDetail,
  errors: ["unavailable"],
});

export const cancelWork = route({
  ...ofInstance,
  id: "cancelWork",
  method: "post",
  path: "/admin/work/:id/cancel",
  summary: "Cancel background work",
  description:
    "A run is cancelled as by `POST /repos/{owner}/{repo}/pipelines/{id}/cancel`. Maintenance leaves the repositories that it was at, statistics are computed again at the next push or after six hours. 409 for what has ended, except for a run that is still open although its work has ended: with `force` that run ends.",
  params: WorkParams,
  body: WorkCancel,
  status: 202,
  response: WorkDetail,
  errors: ["conflict", "unavailable"],
});

export const retryWork = route({
  ...ofInstance,
  id: "retryWork",
  method: "post",
  path: "/admin/work/:id/retry",
  summary: "Retry background work",
  description:
    "Steps that wait for their next attempt are tried now. Work that ended without success goes on: that of a run from its last decision, with what happened since; statistics begin anew; for maintenance the next round begins. 409 where there is nothing to try: a run that is over is run again by `POST /repos/{owner}/{repo}/pipelines/{id}/rerun`.",
  params: WorkParams,
  status: 202,
  response: WorkDetail,
  errors: ["conflict", "unavailable"],
});

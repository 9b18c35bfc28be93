/** Operations on shells into jobs. The sockets are described in `socket.ts`. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { JobKeepOpen, KeptJob, Shell, ShellOpen } from "./resource.ts";

const maintain = { tag: "pipelines", access: "repo_maintain", scope: "pipeline:write" } as const;
const path = "/repos/:owner/:repo/pipelines/:id";
const runParams = RepositoryParams.extend({ id: z.string().describe("Id or number.") });

export const openShell = route({
  ...maintain,
  archived: "allowed",
  id: "openShell",
  method: "post",
  path: `${path}/jobs/:job/shells`,
  summary: "Open a shell in a running job",
  description:
    "Returns a ticket for the socket on which the terminal runs. Returns 409 unless a runner has the job and answers, when too many shells are open, for runs whose commits come from elsewhere, and for jobs that use secrets or identity tokens unless their environment has `allow_shell`.",
  params: runParams.extend({ job: idOf("job") }),
  body: ShellOpen,
  status: 201,
  response: Shell,
  showsSecret: true,
  errors: ["conflict"],
});

export const keepJobsOpen = route({
  ...maintain,
  archived: "allowed",
  id: "keepJobsOpen",
  method: "put",
  path: `${path}/keep-open`,
  summary: "Keep containers of jobs for a shell when they fail",
  description:
    "For at most an hour after the failure, and never past the time limits of job, stage and run, during which the job counts as running. Also for the next rerun of jobs that have ended. Jobs in which no shell may be opened are left out, with the reason; returns 409 if that leaves none.",
  params: runParams,
  body: JobKeepOpen,
  status: 200,
  response: z.array(KeptJob),
  errors: ["conflict"],
});

export const endKeptJobs = route({
  ...maintain,
  archived: "allowed",
  id: "endKeptJobs",
  method: "delete",
  path: `${path}/keep-open`,
  summary: "Stop keeping containers of jobs open",
  description: "Jobs that are kept open end now, with the shells in them, and keep their result.",
  params: runParams,
  query: z.strictObject({ job: idOf("job").optional().describe("Only this job. Default: all of the run.") }),
  status: 204,
  errors: [],
});

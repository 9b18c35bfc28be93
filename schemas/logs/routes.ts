/** Operations on the logs of a run. The watch socket is `schemas/logs/watch.ts`. */
import { z } from "zod";
import { ownerName, repositoryName } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { LogPage, LogQuery, LogStreamTicket } from "./resource.ts";
import {
  FirstErrorQuery,
  FirstLogError,
  LogSearchPage,
  LogSearchQuery,
  RepositoryLogSearchQuery,
} from "./search.ts";

const repositoryParams = z.strictObject({ owner: ownerName, repo: repositoryName });
const params = repositoryParams.extend({
  id: z
    .string()
    .regex(/^(pipe_[0-9a-z]{26}|[1-9]\d{0,8})$/)
    .describe("Id or number of the run."),
});

export const logWatchPath = "/repos/:owner/:repo/pipelines/:id/logs/stream";
/** Sub-protocol of the watch socket; a browser adds `ticket.<ticket>` as a second one. */
export const logWatchProtocol = "forgeline-logs.v1";

export const getPipelineLogs = route({
  id: "getPipelineLogs",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/:id/logs",
  tag: "pipelines",
  summary: "Logs of a run, stage by stage",
  description:
    "JSON pages by default. `text/plain` is the bytes as the jobs printed them, one stream after the other (set-up, " +
    "steps, services of each job), and takes `Range` once the log is finished. `application/x-ndjson` is every line " +
    "as one JSON object with the place it belongs to.",
  access: "repo_read",
  scope: "pipeline:read",
  params,
  query: LogQuery,
  status: 200,
  response: LogPage,
  alternatives: ["text/plain", "application/x-ndjson"],
  errors: ["range_not_satisfiable"],
});

export const searchPipelineLogs = route({
  id: "searchPipelineLogs",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/:id/logs/search",
  tag: "pipelines",
  summary: "Search all logs of a run",
  description:
    "Counts as a search. Of each job the newest attempt, unless `attempt` names another one. A process works on four searches at a " +
    "time, and on one of each caller; others wait, and are refused with 429 when they wait too long.",
  access: "repo_read",
  scope: "pipeline:read",
  rateCategory: "search",
  params,
  query: LogSearchQuery,
  status: 200,
  response: LogSearchPage,
  errors: [],
});

export const searchRepositoryLogs = route({
  id: "searchRepositoryLogs",
  method: "get",
  path: "/repos/:owner/:repo/logs/search",
  tag: "pipelines",
  summary: "Search the logs of the last runs of a repository",
  description:
    "As in one run. While new runs are created, `next_cursor` goes on with the runs that the first answer was about.",
  access: "repo_read",
  scope: "pipeline:read",
  rateCategory: "search",
  params: repositoryParams,
  query: RepositoryLogSearchQuery,
  status: 200,
  response: LogSearchPage,
  errors: [],
});

export const getFirstLogError = route({
  id: "getFirstLogError",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/:id/logs/first-error",
  tag: "pipelines",
  summary: "The line that tells why a run failed",
  description:
    "Of the job that failed first, the first line of its failed step that looks like an error; if no line does, the last one. Jobs " +
    "whose failure is allowed come after all others. The documentation of logs lists what looks like an error. Counts as a search.",
  access: "repo_read",
  scope: "pipeline:read",
  rateCategory: "search",
  params,
  query: FirstErrorQuery,
  status: 200,
  response: FirstLogError,
  errors: [],
});

export const createLogStreamTicket = route({
  id: "createLogStreamTicket",
  method: "post",
  path: "/repos/:owner/:repo/pipelines/:id/logs/stream-tickets",
  tag: "pipelines",
  summary: "Get a one-use ticket for the log watch socket",
  description:
    "For browsers, which cannot send a header when they open a socket. Counts like the opening of a socket, against no " +
    "other limit. Clients with too many logs open still get a ticket: the socket then says `busy` and when to try " +
    "again, and closes with 4430.",
  access: "repo_read",
  scope: "pipeline:read",
  rateCategory: "sockets",
  params,
  status: 201,
  response: LogStreamTicket,
  showsSecret: true,
  errors: [],
});

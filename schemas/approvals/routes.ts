/** Decisions at the gates of runs. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { ApprovalDecision, ApprovalGate, AwaitedApproval, ForkApproval } from "./resource.ts";

export const listAwaitedApprovals = route({
  tag: "pipelines",
  access: "user",
  bots: "allowed",
  scope: "pipeline:read",
  id: "listAwaitedApprovals",
  method: "get",
  path: "/user/approvals",
  summary: "What waits for your approval in all repositories, oldest first",
  description:
    "Gates of runs, and runs of merge requests whose commit comes from a fork. Only what you may decide now and have not decided yet. Being an administrator of the instance alone lists nothing.",
  query: PageQuery,
  status: 200,
  response: z.array(AwaitedApproval),
  paginated: true,
  errors: [],
});

export const decideApproval = route({
  tag: "pipelines",
  access: "repo_signed_in",
  scope: "pipeline:write",
  archived: "allowed",
  id: "decideApproval",
  method: "post",
  path: "/repos/:owner/:repo/pipelines/:id/approvals",
  summary: "Approve or reject a stage or job that waits for it, or a commit that comes from a fork",
  description:
    "For those whom the pipeline file names as approvers, and for everyone with the level that it says: Write where it says nothing. Returns 403 with who may approve, and 409 if nothing waits there. One rejection is enough; deciding again replaces your earlier decision. Without a stage and a job it is about the run of a merge request whose commit comes from a fork: whoever has Write decides, once, for this commit alone; 409 also if the merge request has newer ones.",
  params: RepositoryParams.extend({ id: z.string().describe("Id or number.") }),
  body: ApprovalDecision,
  status: 200,
  response: z.union([ApprovalGate, ForkApproval]),
  errors: ["conflict"],
});

/** Operations on templates of texts. */
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxTemplates, TextTemplates } from "./resource.ts";

const readable = {
  tag: "text-templates",
  method: "get",
  access: "repo_read",
  status: 200,
  params: RepositoryParams,
  response: TextTemplates,
  errors: [],
} as const;

export const listIssueTemplates = route({
  ...readable,
  id: "listIssueTemplates",
  scope: "issue:read",
  path: "/repos/:owner/:repo/issue-templates",
  summary: "Templates and forms for new issues",
  description: `From the default branch: \`.forgeline/issue-templates/\`, or where that is not there \`.github/ISSUE_TEMPLATE/\` or \`.gitlab/issue_templates/\`; at most ${maxTemplates}.`,
});

export const listMergeRequestTemplates = route({
  ...readable,
  id: "listMergeRequestTemplates",
  scope: "mr:read",
  path: "/repos/:owner/:repo/merge-request-templates",
  summary: "Templates for descriptions of merge requests",
  description: `From the default branch: \`.forgeline/merge-request-templates/\`, or where that is not there \`.github/pull_request_template.md\` or \`.gitlab/merge_request_templates/\`; at most ${maxTemplates}.`,
});

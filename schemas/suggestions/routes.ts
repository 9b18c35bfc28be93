/** Operations on suggested changes in comments of a merge request. */
import { z } from "zod";
import { Commit } from "../commits/resource.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import { CommentSuggestions, SuggestionsApply } from "./resource.ts";

const all = "/repos/:owner/:repo/merge-requests/:number/suggestions";

export const listSuggestions = route({
  id: "listSuggestions",
  tag: "suggestions",
  method: "get",
  path: all,
  access: "repo_read",
  scope: "mr:read",
  summary: "Suggested changes in comments on a merge request, oldest first",
  description:
    "Of each comment that has any. A block of code whose language is `suggestion`, in a comment on lines of the new side, replaces these lines; one with `suggestion:-1+2` replaces the commented line, one above it, and two below.",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(CommentSuggestions),
  paginated: true,
  errors: [],
});

export const applySuggestions = route({
  id: "applySuggestions",
  tag: "suggestions",
  method: "post",
  path: `${all}/apply`,
  access: "repo_signed_in",
  scope: "mr:write",
  archived: "refused",
  summary: "Apply suggested changes, in one commit on the source branch",
  description:
    "It takes Write on the repository of the source branch, and is a push by the caller: the rules for that branch apply. The threads are resolved. 409, with the comment in the message, where its lines have changed since, where it was edited since its `digest` was read, where it is applied already, and where two concern the same line; 409 also where the merge request is not open. A token needs `repo:write` too, as for every push.",
  params: MergeRequestParams,
  body: SuggestionsApply,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: Commit,
  errors: ["conflict", "repository_archived", "repository_mirrored"],
});

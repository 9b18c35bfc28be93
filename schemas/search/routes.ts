/** Searching in all repositories (`decisions.md`, "Records (REST)"). */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { fullName } from "../notifications/resource.ts";
import { FoundItems, maxReachable, searchText } from "./resource.ts";

const name = z.string().trim().min(1).max(255);
const person = z.string().trim().min(1).max(201);

const filters = {
  ...PageQuery.shape,
  q: searchText
    .prefault("")
    .describe(
      'Words, "exact phrases" and qualifiers, as in `is:open author:me label:"help wanted" -label:wontfix`; the page about search lists them.',
    ),
  state: z.enum(["open", "closed", "merged", "all"]).optional().describe("As `state:` in `q`."),
  repository: fullName.optional().describe("`OWNER/NAME`, as `repo:` in `q`."),
  owner: name.optional().describe("A user or an organization, as `owner:` in `q`."),
  author: person.optional().describe("User name, or `me`."),
  assignee: person.optional().describe("User name, or `me`; `none`: nobody is assigned."),
  mentions: person.optional().describe("User name, or `me`: whose name stands in a text with `@`."),
  label: name.optional().describe("Name of a label."),
  milestone: name.optional().describe("Title of a milestone; `none`: without one."),
  sort: z.enum(["created", "updated", "comments"]).optional().describe("Default: `created`."),
  direction: z.enum(["asc", "desc"]).prefault("desc"),
};

export const SearchQuery = z.strictObject({
  ...filters,
  type: z
    .enum(["issue", "merge_request", "all"])
    .prefault("issue")
    .describe("A kind in `q`, as `is:mr`, wins over `issue`."),
});
export type SearchQuery = z.output<typeof SearchQuery>;

const search = { tag: "search", access: "public", rateCategory: "search" } as const;
const description = `Looks into titles, texts and comments of the repositories that the caller may read now. Up to ${maxReachable} of what is found can be read page by page: 422 beyond, for a query that cannot be understood (the message names the place), and for one that takes too long. A token without \`issue:read\` or \`mr:read\` finds what is public.`;

export const searchIssues = route({
  ...search,
  id: "searchIssues",
  method: "get",
  path: "/search/issues",
  summary: "Search issues of all repositories",
  description,
  query: SearchQuery,
  status: 200,
  response: FoundItems,
  errors: ["validation_failed"],
});

export const MergeRequestSearchQuery = z.strictObject(filters);

export const searchMergeRequests = route({
  ...search,
  id: "searchMergeRequests",
  method: "get",
  path: "/search/merge-requests",
  summary: "Search merge requests of all repositories",
  description,
  query: MergeRequestSearchQuery,
  status: 200,
  response: FoundItems,
  errors: ["validation_failed"],
});

/** Lists of what a repository can begin with. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { GitignoreTemplate, License } from "./resource.ts";

const list = {
  method: "get",
  tag: "templates",
  access: "public",
  query: PageQuery,
  status: 200,
  paginated: true,
  errors: [],
} as const;

export const listLicenses = route({
  ...list,
  id: "listLicenses",
  path: "/licenses",
  summary: "Licences that a new repository can start with, by identifier",
  response: z.array(License),
});

export const listGitignoreTemplates = route({
  ...list,
  id: "listGitignoreTemplates",
  path: "/gitignore-templates",
  summary: "`.gitignore` templates that a new repository can start with, by name",
  response: z.array(GitignoreTemplate),
});

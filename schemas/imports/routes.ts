/** Operations on imports from other hosts. Whoever began an import sees it, and nobody else. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Import, ImportCreate, ImportNote, ImportRetry, maxImportNotes, maxOpenImports } from "./resource.ts";

const read = { tag: "repositories", access: "user", scope: "repo:read" } as const;
const write = { tag: "repositories", access: "user", scope: "repo:write" } as const;
const one = "/imports/:id";
const params = z.strictObject({ id: idOf("imp") });

export const createImport = route({
  ...write,
  id: "createImport",
  method: "post",
  path: "/imports",
  summary: "Import a repository from GitHub or GitLab, with issues and merge requests",
  description: `Creates the repository, which is read-only until the import has ended, and brings everything over in the background. Who may create a repository for the owner may do so. At most ${maxOpenImports} of one person at a time. Webhooks and notifications are not told of what comes.`,
  body: ImportCreate,
  status: 202,
  response: Import,
  errors: ["conflict"],
});

export const listImports = route({
  ...read,
  id: "listImports",
  method: "get",
  path: "/imports",
  summary: "Your imports, newest first",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(Import),
  errors: [],
});

export const getImport = route({
  ...read,
  id: "getImport",
  method: "get",
  path: one,
  summary: "One of your imports, and how far it is",
  params,
  status: 200,
  response: Import,
  errors: [],
});

export const getImportReport = route({
  ...read,
  id: "getImportReport",
  method: "get",
  path: `${one}/report`,
  summary: "What an import has left out or changed, and why",
  description: `The first ${maxImportNotes} entries; \`left_out\` of the import counts all.`,
  params,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(ImportNote),
  errors: [],
});

export const cancelImport = route({
  ...write,
  id: "cancelImport",
  method: "post",
  path: `${one}/cancel`,
  summary: "Stop an import",
  description: "What has come stays, and the repository can be written to. 409 for one that has ended.",
  params,
  status: 200,
  response: Import,
  errors: ["conflict"],
});

export const retryImport = route({
  ...write,
  id: "retryImport",
  method: "post",
  path: `${one}/retry`,
  summary: "Go on with an import that has failed or was stopped",
  description:
    "From where it ended: nothing comes twice. The token is needed again. 409 for one that runs or is done.",
  params,
  body: ImportRetry,
  status: 202,
  response: Import,
  errors: ["conflict"],
});

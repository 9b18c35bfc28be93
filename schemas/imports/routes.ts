/** Operations on imports from other hosts. Whoever began an import sees it, and those who administer its repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { fullName } from "../notifications/resource.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { archiveDays, archiveId, ImportArchive, maxImportArchives } from "./archives.ts";
import { ImportedPerson, ImportNaming, ImportPersonName, ImportRequest } from "./people.ts";
import { Import, ImportCreate, ImportNote, ImportRetry, maxImportNotes, maxOpenImports } from "./resource.ts";

const read = { tag: "repositories", access: "user", scope: "repo:read" } as const;
const write = { tag: "repositories", access: "user", scope: "repo:write" } as const;
const one = "/imports/:id";
const people = { tag: "repositories", access: "user" } as const;
const RequestParams = z.strictObject({ id: idOf("iask") });
const params = z.strictObject({ id: idOf("imp") });
const ArchiveParams = z.strictObject({ id: archiveId });

export const ImportListQuery = PageQuery.extend({
  repository: fullName
    .optional()
    .describe("`owner/name`: those into this repository, for those who administer it. Default: your own."),
});
export type ImportListQuery = z.output<typeof ImportListQuery>;

export const ImportArchiveQuery = z.strictObject({
  name: z.string().min(1).max(255).describe("Name of the file."),
});

export const createImportArchive = route({
  ...write,
  id: "createImportArchive",
  method: "post",
  path: "/imports/archives",
  summary: "Upload an export of GitHub or GitLab, to import it",
  description: `The body is the file: a migration archive of GitHub or a project export of GitLab (\`.tar.gz\`), of at most 10 GiB unless the instance says otherwise. Name it in \`archive\` of \`POST /imports\`. It is removed ${archiveDays} days later. One person has at most ${maxImportArchives}.`,
  query: ImportArchiveQuery,
  bytes: true,
  status: 201,
  response: ImportArchive,
  errors: ["conflict", "payload_too_large", "validation_failed"],
});

export const listImportArchives = route({
  ...read,
  id: "listImportArchives",
  method: "get",
  path: "/imports/archives",
  summary: "Exports that you uploaded, newest first",
  status: 200,
  response: z.array(ImportArchive),
  errors: [],
});

export const getImportArchive = route({
  ...read,
  id: "getImportArchive",
  method: "get",
  path: "/imports/archives/:id",
  summary: "An export that you uploaded",
  params: ArchiveParams,
  status: 200,
  response: ImportArchive,
  errors: [],
});

export const deleteImportArchive = route({
  ...write,
  id: "deleteImportArchive",
  method: "delete",
  path: "/imports/archives/:id",
  summary: "Remove an export that you uploaded",
  description: "409 while an import reads it. An import of it that has failed cannot go on afterwards.",
  params: ArchiveParams,
  status: 204,
  errors: ["conflict"],
});

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
  summary: "Your imports, or those into a repository, newest first",
  query: ImportListQuery,
  paginated: true,
  status: 200,
  response: z.array(Import),
  errors: ["not_found"],
});

export const getImport = route({
  ...read,
  id: "getImport",
  method: "get",
  path: one,
  summary: "An import, and how far it is",
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
  description:
    "Whoever began it may, and those who administer its repository. What has come stays, and the repository can be written to. 409 for one that has ended.",
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
    "From where it ended: nothing comes twice. Whoever began it may. The token is needed again. 409 for one that runs or is done.",
  params,
  body: ImportRetry,
  status: 202,
  response: Import,
  errors: ["conflict"],
});

export const listImportPeople = route({
  ...people,
  id: "listImportPeople",
  method: "get",
  path: `${one}/people`,
  summary: "Who wrote or is assigned what came, and has no account here",
  description: "Who has the most texts first. Empty for those who do not administer the repository.",
  scope: "repo:read",
  params,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(ImportedPerson),
  errors: [],
});

export const nameImportPerson = route({
  ...people,
  id: "nameImportPerson",
  method: "post",
  path: `${one}/people`,
  summary: "Say who somebody of the other host is here",
  description:
    "Those who administer the repository may. The user is asked by mail and decides within 7 days; at once it is decided for oneself, for members of an organization that the caller owns and imported into, who have joined it themselves, and by administrators of the instance. Texts and assignments then show the account, a moment later.",
  scope: "repo:write",
  params,
  body: ImportPersonName,
  status: 200,
  response: ImportNaming,
  errors: ["conflict", "forbidden"],
});

export const listImportRequests = route({
  ...people,
  id: "listImportRequests",
  method: "get",
  path: "/user/import-requests",
  summary: "Imported texts that you are asked about: whether they are yours",
  scope: "user:read",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(ImportRequest),
  errors: [],
});

export const acceptImportRequest = route({
  ...people,
  id: "acceptImportRequest",
  method: "post",
  path: "/user/import-requests/:id/accept",
  summary: "Agree that imported texts are yours",
  description: "They show your account as their author from then on. This cannot be taken back.",
  scope: "user:write",
  params: RequestParams,
  status: 200,
  response: ImportNaming,
  errors: ["conflict"],
});

export const declineImportRequest = route({
  ...people,
  id: "declineImportRequest",
  method: "delete",
  path: "/user/import-requests/:id",
  summary: "Say that imported texts are not yours",
  scope: "user:write",
  params: RequestParams,
  status: 204,
  errors: [],
});

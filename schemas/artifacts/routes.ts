/** Operations on artifacts of a run: reading as for the run itself; removing needs Write. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { restOfPath } from "../core/path.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Artifact, ArtifactFile } from "./resource.ts";

const read = { tag: "pipelines", access: "repo_read", scope: "pipeline:read" } as const;
const runParams = RepositoryParams.extend({ id: z.string().describe("Id or number of the run.") });
const params = runParams.extend({ artifact: idOf("art") });
const path = "/repos/:owner/:repo/pipelines/:id/artifacts";
const one = `${path}/:artifact`;

export const listArtifacts = route({
  ...read,
  id: "listArtifacts",
  method: "get",
  path,
  summary: "Artifacts of a run, in the order of its jobs",
  params: runParams,
  query: PageQuery,
  status: 200,
  response: z.array(Artifact),
  paginated: true,
  errors: [],
});

export const getArtifact = route({
  ...read,
  id: "getArtifact",
  method: "get",
  path: one,
  summary: "One artifact",
  params,
  status: 200,
  response: Artifact,
  errors: [],
});

export const downloadArtifact = route({
  ...read,
  id: "downloadArtifact",
  method: "get",
  path: `${one}/zip`,
  summary: "All files of an artifact as a ZIP file",
  description: "`Range` continues a download that was interrupted.",
  params,
  status: 200,
  alternatives: ["application/zip"],
  errors: ["range_not_satisfiable"],
});

export const listArtifactFiles = route({
  ...read,
  id: "listArtifactFiles",
  method: "get",
  path: `${one}/files`,
  summary: "Files of an artifact, by path",
  params,
  query: PageQuery,
  status: 200,
  response: z.array(ArtifactFile),
  paginated: true,
  errors: [],
});

export const getArtifactFile = route({
  ...read,
  id: "getArtifactFile",
  method: "get",
  path: `${one}/files/*path`,
  summary: "The bytes of one file of an artifact",
  description: "Always as a download, never as a page. A symbolic link gives the path that it names.",
  params: params.extend({ path: restOfPath("Path of the file.") }),
  status: 200,
  alternatives: ["application/octet-stream"],
  errors: ["range_not_satisfiable"],
});

export const deleteArtifact = route({
  ...read,
  access: "repo_write",
  scope: "pipeline:write",
  id: "deleteArtifact",
  method: "delete",
  path: one,
  summary: "Remove an artifact before it expires",
  params,
  status: 204,
  errors: ["repository_archived"],
});

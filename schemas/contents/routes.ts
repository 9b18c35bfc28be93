/** Operations on the files of a repository. */
import { z } from "zod";
import { restOfPath } from "../core/path.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { ContentsDelete, ContentsEntry, ContentsPut, FileContents, WrittenContents } from "./resource.ts";

const readable = { tag: "contents", access: "repo_read", scope: "repo:read", status: 200 } as const;
const point = "Branch, tag or full commit id";

export const ContentsQuery = z.strictObject({
  ref: z.string().optional().describe(`${point}; default: the default branch.`),
});
const ContentsParams = z.strictObject({
  ...RepositoryParams.shape,
  path: restOfPath("Path inside the repository."),
});
const ArchiveParams = z.strictObject({ ...RepositoryParams.shape, ref: restOfPath(`${point}.`) });

export const getRootContents = route({
  ...readable,
  id: "getRootContents",
  method: "get",
  path: "/repos/:owner/:repo/contents",
  summary: "The top directory of a repository",
  description: "As `getContents` with an empty path.",
  params: RepositoryParams,
  query: ContentsQuery,
  response: z.array(ContentsEntry),
  errors: [],
});

export const getContents = route({
  ...readable,
  id: "getContents",
  method: "get",
  path: "/repos/:owner/:repo/contents/*path",
  summary: "A file, directory, symbolic link or submodule",
  description:
    "A directory is an array, folders first, without `content`. Files over 10 MiB come without `content`; take `download_url`.",
  params: ContentsParams,
  query: ContentsQuery,
  response: z.union([z.array(ContentsEntry), FileContents]),
  errors: [],
});

const writable = { tag: "contents", access: "repo_write", scope: "repo:write", jobs: "allowed" } as const;
/** A file of 10 MiB as base64, and what stands around it. */
const bodyLimitBytes = 14 * 1024 * 1024;

export const putContents = route({
  ...writable,
  id: "putContents",
  method: "put",
  path: "/repos/:owner/:repo/contents/*path",
  summary: "Create or replace a file by a commit",
  description:
    "Works like a push: branch protection rules apply, and pipelines start. In an empty repository this creates the first commit. Returns `conflict` if the file does not match `sha`, or if the branch has moved in the meantime.",
  params: ContentsParams,
  body: ContentsPut,
  bodyLimitBytes,
  status: 200,
  response: WrittenContents,
  errors: ["conflict", "repository_archived"],
});

export const deleteContents = route({
  ...writable,
  id: "deleteContents",
  method: "delete",
  path: "/repos/:owner/:repo/contents/*path",
  summary: "Delete a file by a commit",
  description: "As `putContents`. The body is JSON, as everywhere.",
  params: ContentsParams,
  body: ContentsDelete,
  bodyLimitBytes: largeBodyBytes,
  status: 204,
  errors: ["conflict", "repository_archived"],
});

export const getRawFile = route({
  ...readable,
  id: "getRawFile",
  method: "get",
  path: "/repos/:owner/:repo/raw/:ref/*path",
  summary: "The bytes of a file",
  description:
    "Text is `text/plain`, anything else `application/octet-stream`, never a type that a browser would execute. Send a slash in `ref` as `%2F`; otherwise the shortest existing ref is used.",
  params: z.strictObject({ ...ContentsParams.shape, ref: z.string().describe(`${point}.`) }),
  alternatives: ["text/plain", "application/octet-stream"],
  errors: [],
});

export const getTarball = route({
  ...readable,
  id: "getTarball",
  method: "get",
  path: "/repos/:owner/:repo/tarball/*ref",
  summary: "All files as a `.tar.gz`",
  description: "For up to 500,000 files and directories.",
  params: ArchiveParams,
  alternatives: ["application/gzip"],
  errors: ["validation_failed"],
});

export const getZipball = route({
  ...readable,
  id: "getZipball",
  method: "get",
  path: "/repos/:owner/:repo/zipball/*ref",
  summary: "All files as a `.zip`",
  description: "For up to 500,000 files and directories.",
  params: ArchiveParams,
  alternatives: ["application/zip"],
  errors: ["validation_failed"],
});

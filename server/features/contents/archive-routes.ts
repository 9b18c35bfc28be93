/** Binds the downloads of a whole tree. */
import { getTarball, getZipball } from "@forgeline/schemas/contents/routes.ts";
import { startArchive, type ArchiveFormat } from "../../git/archive.ts";
import { isObjectId, shortRefName } from "../../git/names.ts";
import type { Git } from "../../git/run-git.ts";
import type { RepositoryStorage } from "../../git/storage.ts";
import { sentByHandler, type RouteBinder, type RouteInput } from "../../http/route-binder.ts";
import type { CommitService } from "../commits/service.ts";
import type { RepositoryRef } from "../policy/repository-access.ts";
import { sendOutput, type StreamGate } from "./send-stream.ts";

export interface ArchiveDeps {
  commits: CommitService;
  git: Git;
  storage: RepositoryStorage;
  gate: StreamGate;
}

const contentTypes: Record<ArchiveFormat, string> = { "tar.gz": "application/gzip", zip: "application/zip" };

type ArchiveInput = Pick<RouteInput<undefined, undefined, undefined>, "revalidate" | "raw" | "signal"> & {
  repository: RepositoryRef;
  params: { ref: string };
};

export function registerArchiveRoutes(app: RouteBinder, deps: ArchiveDeps): void {
  app.bindRepository(getTarball, (input) => sendArchive(deps, "tar.gz", input));
  app.bindRepository(getZipball, (input) => sendArchive(deps, "zip", input));
}

async function sendArchive(
  deps: ArchiveDeps,
  format: ArchiveFormat,
  input: ArchiveInput,
): Promise<typeof sentByHandler> {
  const { repository, params, raw, signal } = input;
  const { ref, sha } = await deps.commits.resolve(repository, params.ref);
  const label = isObjectId(params.ref) ? sha : shortRefName(ref);
  // Plain characters only: the name stands in a header and becomes a directory on other systems.
  const prefix = `${repository.name}-${label}`.replaceAll(/[^A-Za-z0-9._-]/g, "-");
  input.revalidate(`${sha} ${prefix}`);
  const head = () => {
    raw.res.setHeader("Content-Type", contentTypes[format]);
    raw.res.setHeader("Content-Disposition", `attachment; filename="${prefix}.${format}"`);
  };
  if (raw.req.method === "HEAD") {
    head();
    raw.res.end();
    return sentByHandler;
  }
  const directory = deps.storage.directory(repository.id);
  await deps.gate.enter(() =>
    sendOutput(startArchive(deps.git.start, { directory, sha, format, prefix, signal }), raw.res, head),
  );
  return sentByHandler;
}

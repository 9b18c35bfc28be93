/** Binds the downloads of a whole tree. */
import { getTarball, getZipball } from "@forgeline/schemas/contents/routes.ts";
import type { Config } from "../../../config/config.ts";
import { canArchive, startArchive, type ArchiveFormat } from "../../../platform/git/objects/archive.ts";
import { createClientPace } from "../../../platform/git/processes/client-pace.ts";
import { isObjectId, shortRefName } from "../../../platform/git/refs/names.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { sentByHandler, type RouteBinder, type RouteInput } from "../route-binder.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { CommitService } from "../../../domains/hosting/domain.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import { sendOutput } from "./send-stream.ts";

export interface ArchiveDeps {
  commits: CommitService;
  git: Git;
  storage: RepositoryStorage;
  config: { gitExchanges: Pick<Config["gitExchanges"], "pace"> };
}

const contentTypes: Record<ArchiveFormat, string> = { "tar.gz": "application/gzip", zip: "application/zip" };

type ArchiveInput = Pick<
  RouteInput<undefined, undefined, undefined>,
  "revalidate" | "raw" | "disconnected"
> & {
  repository: RepositoryRef;
  params: { ref: string };
};

export function registerArchiveRoutes(app: RouteBinder, deps: ArchiveDeps): void {
  app.bindRepository(getTarball, (input) => sendArchive(deps, "tar.gz", input));
  app.bindRepository(getZipball, (input) => sendArchive(deps, "zip", input));
}

function tooManyFiles(): AppError {
  const message = "There are too many files for an archive; clone the repository instead.";
  return invalidField("ref", "too_large", message);
}

async function sendArchive(
  deps: ArchiveDeps,
  format: ArchiveFormat,
  input: ArchiveInput,
): Promise<typeof sentByHandler> {
  const { repository, params, raw } = input;
  const signal = input.disconnected();
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
  if (!(await canArchive(deps.git.start, directory, sha))) throw tooManyFiles();
  const { pace, client } = createClientPace(raw.res, deps.config.gitExchanges.pace);
  const archive = await startArchive(deps.git.start, { directory, sha, format, prefix, signal, client });
  await sendOutput(archive, { res: raw.res, pace }, head);
  return sentByHandler;
}

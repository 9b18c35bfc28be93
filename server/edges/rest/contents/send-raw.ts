/** The bytes of a file, in a form that no browser runs. */
import type { Request, Response } from "express";
import type { Config } from "../../../config/config.ts";
import { startBlob } from "../../../platform/git/objects/archive.ts";
import { createClientPace } from "../../../platform/git/processes/client-pace.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import {
  type ContentsReader,
  type FoundContents,
  downloadType,
  rawContentType,
} from "../../../domains/hosting/domain.ts";
import { sendOutput } from "./send-stream.ts";

export interface RawDeps {
  contents: ContentsReader;
  git: Git;
  storage: RepositoryStorage;
  config: { gitExchanges: Pick<Config["gitExchanges"], "pace"> };
}

export interface RawRequest {
  repository: RepositoryRef;
  found: FoundContents;
  signal: AbortSignal;
  req: Request;
  res: Response;
}

/** Read at once up to here; larger files get a process of their own. */
const maxSmallBytes = 512 * 1024;

/** Symbolic links give their text. Throws `not_found` for what is neither. */
export async function sendRaw(deps: RawDeps, request: RawRequest): Promise<void> {
  const { repository, found, req, res, signal } = request;
  if (found.entry?.type !== "file" && found.entry?.type !== "symlink") throw new AppError("not_found");
  const { oid } = found.entry;
  const object = await deps.contents.read(repository, oid, maxSmallBytes);
  res.setHeader("Content-Length", object.sizeBytes);
  if (object.bytes) {
    setContentType(res, object.bytes);
    res.end(req.method === "HEAD" ? undefined : object.bytes);
    return;
  }
  const directory = deps.storage.directory(repository.id);
  const { pace, client } = createClientPace(res, deps.config.gitExchanges.pace);
  const child = await startBlob(deps.git.start, { directory, oid, signal, client });
  if (req.method !== "HEAD")
    return sendOutput(child, { res, pace }, (beginning) => setContentType(res, beginning));
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    setContentType(res, chunk);
    break;
  }
  child.kill();
  res.end();
}

function setContentType(res: Response, beginning: Buffer): void {
  const type = rawContentType(beginning);
  res.setHeader("Content-Type", type);
  if (type === downloadType) res.setHeader("Content-Disposition", "attachment");
}

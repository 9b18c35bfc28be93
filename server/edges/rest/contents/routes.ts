/** Binds the operations on files. */
import {
  deleteContents,
  getContents,
  getRawFile,
  getRootContents,
  putContents,
} from "@forgeline/schemas/contents/routes.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { sentByHandler, type RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import {
  type CommitService,
  repositoryAddress,
  presentEntry,
  presentFile,
  type ContentsReader,
  type FoundContents,
  type ContentsWriter,
} from "../../../domains/hosting/domain.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import { registerArchiveRoutes } from "./archive-routes.ts";
import { sendRaw, type RawDeps } from "./send-raw.ts";

export interface ContentsRoutesDeps {
  contents: ContentsReader;
  contentsWriter: ContentsWriter;
  commits: CommitService;
  git: Git;
  storage: RepositoryStorage;
  addresses: Addresses;
  config: RawDeps["config"];
}

/** Of a file that is shown inside of JSON. */
const maxContentBytes = 10 * 1024 * 1024;

export function registerContentsRoutes(app: RouteBinder, deps: ContentsRoutesDeps): void {
  const { contents, commits } = deps;
  app.bindRepository(getRootContents, async ({ repository, query, revalidate }) => {
    const start = await commits.resolveIfBegun(repository, query.ref);
    revalidate(start?.sha ?? "empty");
    if (!start) return { body: [] };
    const ref = query.ref ?? repository.defaultBranch;
    return { body: await directory(deps, repository, { ref, sha: start.sha, path: "", entry: undefined }) };
  });
  app.bindRepository(getContents, async ({ repository, params, query, revalidate }) => {
    const found = await contents.find(repository, query.ref, params.path);
    const { entry } = found;
    revalidate([found.ref, entry?.oid ?? found.sha, entry?.type, entry?.executable].join(" "));
    if (!entry || entry.type === "directory") return { body: await directory(deps, repository, found) };
    const object =
      entry.type === "submodule" ? undefined : await contents.read(repository, entry.oid, maxContentBytes);
    const address = repositoryAddress(deps.addresses, repository);
    return { body: presentFile(entry, object, { address, ref: found.ref, path: found.path }) };
  });
  app.bindRepository(getRawFile, async ({ repository, params, revalidate, raw, disconnected }) => {
    const found = await contents.locate(repository, params.ref, params.path);
    revalidate(found.entry?.oid ?? found.sha);
    await sendRaw(deps, { repository, found, signal: disconnected(), ...raw });
    return sentByHandler;
  });
  registerArchiveRoutes(app, deps);
  registerWriting(app, deps);
}

function registerWriting(app: RouteBinder, { contentsWriter, commits, addresses }: ContentsRoutesDeps): void {
  app.bindRepository(putContents, async ({ repository, actor, params, body }) => {
    const written = await contentsWriter.put(repository, actor, { path: params.path, wanted: body });
    const [commit] = await commits.show(repository, [written.sha]);
    if (!commit) throw new AppError("not_found");
    const place = {
      address: repositoryAddress(addresses, repository),
      ref: written.ref,
      path: params.path,
    };
    return { body: { content: presentEntry(written.entry, written.sizeBytes, place), commit } };
  });
  app.bindRepository(deleteContents, async ({ repository, actor, params, body }) => {
    await contentsWriter.remove(repository, actor, { path: params.path, wanted: body });
  });
}

async function directory(deps: ContentsRoutesDeps, repository: RepositoryRef, found: FoundContents) {
  const { contents } = deps;
  const entries = await contents.list(repository, found);
  const address = repositoryAddress(deps.addresses, repository);
  return Promise.all(
    entries.map(async (entry) => {
      const hasSize = entry.type === "file" || entry.type === "symlink";
      const sizeBytes = hasSize ? (await contents.read(repository, entry.oid, 0)).sizeBytes : 0;
      const path = found.path === "" ? entry.name : `${found.path}/${entry.name}`;
      return presentEntry(entry, sizeBytes, { address, ref: found.ref, path });
    }),
  );
}

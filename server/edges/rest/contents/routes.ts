/** Binds the operations on files. */
import {
  deleteContents,
  getContents,
  getRawFile,
  getRootContents,
  getTarball,
  getZipball,
  putContents,
} from "@forgeline/schemas/contents/routes.ts";
import type { Config } from "../../../config/config.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Archives, ContentsService, ContentsWriter, RawFiles } from "../../../domains/hosting/domain.ts";
import { sendArchive } from "./send-archive.ts";
import { sendRaw } from "./send-raw.ts";

export interface ContentsRoutesDeps {
  contents: ContentsService;
  contentsWriter: ContentsWriter;
  rawFiles: RawFiles;
  archives: Archives;
  config: { gitExchanges: Pick<Config["gitExchanges"], "pace"> };
}

export function registerContentsRoutes(app: RouteBinder, deps: ContentsRoutesDeps): void {
  const { contents, contentsWriter } = deps;
  app.bindRepository(getRootContents, async ({ repository, query, revalidate }) => ({
    body: await contents.getRoot(repository, query.ref, revalidate),
  }));
  app.bindRepository(getContents, async ({ repository, params, query, revalidate }) => ({
    body: await contents.get(repository, { ref: query.ref, path: params.path }, revalidate),
  }));
  app.bindRepository(putContents, async ({ repository, actor, params, body }) => ({
    body: await contentsWriter.put(repository, actor, { path: params.path, wanted: body }),
  }));
  app.bindRepository(deleteContents, ({ repository, actor, params, body }) =>
    contentsWriter.remove(repository, actor, { path: params.path, wanted: body }),
  );
  registerDownloads(app, deps);
}

function registerDownloads(app: RouteBinder, { rawFiles, archives, config }: ContentsRoutesDeps): void {
  const { pace: limits } = config.gitExchanges;
  app.bindRepository(getRawFile, async ({ repository, params, revalidate, raw, disconnected }) => {
    const signal = disconnected();
    return sendRaw(await rawFiles.open(repository, params, revalidate), { ...raw, limits, signal });
  });
  app.bindRepository(getTarball, async ({ repository, params, revalidate, raw, disconnected }) => {
    const format = "tar.gz";
    const signal = disconnected();
    const archive = await archives.open(repository, { ...params, format }, revalidate);
    return sendArchive(archive, format, { ...raw, limits, signal });
  });
  app.bindRepository(getZipball, async ({ repository, params, revalidate, raw, disconnected }) => {
    const format = "zip";
    const signal = disconnected();
    const archive = await archives.open(repository, { ...params, format }, revalidate);
    return sendArchive(archive, format, { ...raw, limits, signal });
  });
}

/** Binds the operations on artifacts of runs. */
import {
  deleteArtifact,
  downloadArtifact,
  getArtifact,
  getArtifactFile,
  listArtifactFiles,
  listArtifacts,
} from "@forgeline/schemas/artifacts/routes.ts";
import type { ArtifactService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";
import { sendDownload } from "./send-download.ts";

export function registerArtifactRoutes(
  app: RouteBinder,
  { artifacts }: { artifacts: ArtifactService },
): void {
  const placeOf = ({ id, artifact }: { id: string; artifact: string }) => ({ pipeline: id, artifact });
  app.bindRepository(listArtifacts, async ({ repository, params, query }) => {
    const { items, total } = await artifacts.list(repository, params.id, query);
    return { body: items, total };
  });
  app.bindRepository(getArtifact, async ({ repository, params }) => ({
    body: await artifacts.get(repository, placeOf(params)),
  }));
  app.bindRepository(listArtifactFiles, async ({ repository, params, query }) => {
    const { items, total } = await artifacts.files(repository, placeOf(params), query);
    return { body: items, total };
  });
  app.bindRepository(downloadArtifact, async ({ repository, params, revalidate, raw }) =>
    sendDownload(await artifacts.openZip(repository, placeOf(params), revalidate), raw),
  );
  app.bindRepository(getArtifactFile, async ({ repository, params, revalidate, raw }) => {
    const place = { ...placeOf(params), path: params.path };
    return sendDownload(await artifacts.openFile(repository, place, revalidate), raw);
  });
  app.bindRepository(deleteArtifact, ({ actor, repository, params }) =>
    artifacts.remove(actor, repository, placeOf(params)),
  );
}

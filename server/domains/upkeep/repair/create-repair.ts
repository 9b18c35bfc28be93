/** The repair, put together from the parts of a container. */
import type { Container } from "../../../container.ts";
import { createLfsObjectsCheck } from "../../hosting/lfs/objects-check.ts";
import { createLogObjectsCheck } from "../../pipelines/logs/objects-check.ts";
import { createRefRecords } from "../../hosting/pushes/ref-records.ts";
import { createRepair } from "./service.ts";

export function repairOf(container: Container) {
  const { db, objects, storage, git, storageMeter } = container;
  return createRepair({
    ...container,
    directories: container.repositoryDirectories,
    refRecords: createRefRecords({ db, storage, git, measure: storageMeter.mark }),
    lfsObjects: createLfsObjectsCheck({ db, objects, measure: storageMeter.mark }),
    logObjects: createLogObjectsCheck({ db, objects }),
  });
}

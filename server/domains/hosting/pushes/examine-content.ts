/** One look at everything that a sync has fetched: what is too large, and which large files it stands for. */
import { join } from "node:path";
import { receivedIds, visitSizes, visitSmall } from "../../../platform/git/objects/received-objects.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { WantedObject } from "../lfs/lfs.store.ts";
import { maxPointerBytes, mayBePointer, parsePointer } from "../lfs/pointers.ts";

export interface FetchedContent {
  /** Of the bare repository. */
  directory: string;
  /** Directory of the objects that were fetched. */
  quarantine: string;
  /** Also looks for large files in what was there before. */
  everywhere: boolean;
}

export interface ExaminedContent {
  /** Files above the limit, with their sizes. */
  tooLarge: Map<string, number>;
  /** Git LFS objects that files stand for. */
  largeFiles: WantedObject[];
}

export type ExamineContent = (content: FetchedContent) => Promise<ExaminedContent>;

export interface ExaminationDeps {
  git: Pick<Git, "run">;
  maxFileBytes: number;
}

export function createExamination(deps: ExaminationDeps): ExamineContent {
  return (content) => examine(deps, content);
}

async function examine(
  { git, maxFileBytes }: ExaminationDeps,
  { directory, quarantine, everywhere }: FetchedContent,
): Promise<ExaminedContent> {
  const tooLarge = new Map<string, number>();
  const candidates: string[] = [];
  const place = { directory, quarantine };
  await visitSizes(git.run, { place, received: await receivedIds(quarantine) }, (object) => {
    if (object.type !== "blob") return;
    if (object.sizeBytes > maxFileBytes) tooLarge.set(object.oid, object.sizeBytes);
    if (mayBePointer(object.sizeBytes)) candidates.push(object.oid);
  });
  if (everywhere) {
    const received = await receivedIds(join(directory, "objects"));
    await visitSizes(git.run, { place, received }, ({ oid, type, sizeBytes }) => {
      if (type === "blob" && mayBePointer(sizeBytes)) candidates.push(oid);
    });
  }
  const largeFiles = new Map<string, WantedObject>();
  await visitSmall(git.run, { place, ids: candidates, maxBytes: maxPointerBytes }, (bytes) => {
    const object = parsePointer(bytes);
    if (object) largeFiles.set(object.oid, object);
  });
  return { tooLarge, largeFiles: [...largeFiles.values()] };
}

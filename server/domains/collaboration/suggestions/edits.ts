/** Brings suggestions together that are to be applied at once: what each file of the branch becomes. */
import { AppError } from "../../../platform/app-error.ts";
import { findEntry } from "../../../platform/git/objects/find-entry.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { Located } from "./located.ts";
import { findOverlap, indexLines, readLines, replaceLines } from "./replace-lines.ts";
import { maxFileBytes } from "./reviewed-files.ts";

export interface EditedFile {
  path: string;
  bytes: Buffer;
  executable: boolean;
}

/** Where the files are read: those of the suggestions, and the branch that gets them. */
export interface EditPlaces {
  reviewed: string;
  source: { repositoryId: string; sha: string };
}

type Files = Pick<RepositoryFiles, "readFile" | "listDirectory">;

/** Throws `conflict`, naming the comment, for what cannot be applied, and for two that concern the same line. */
export async function editFiles(
  files: Files,
  places: EditPlaces,
  chosen: readonly Located[],
): Promise<EditedFile[]> {
  for (const each of chosen) refuseState(each);
  const edited: EditedFile[] = [];
  for (const [path, ofFile] of Map.groupBy(chosen, (each) => each.path)) {
    const overlap = findOverlap(ofFile);
    if (overlap) throw conflict(`${nameOf(overlap[0])} and ${nameOf(overlap[1])} concern the same line.`);
    edited.push(await editFile(files, places, { path, ofFile }));
  }
  return edited;
}

async function editFile(
  files: Files,
  { reviewed, source }: EditPlaces,
  { path, ofFile }: { path: string; ofFile: readonly Located[] },
): Promise<EditedFile> {
  const { repositoryId, sha } = source;
  const found = await findEntry(files, { repositoryId, sha, path });
  const entry = found.kind === "entry" && found.entry.type === "file" ? found.entry : undefined;
  const file = entry && (await files.readFile(repositoryId, { sha, path, maxBytes: maxFileBytes }));
  const lines = file?.bytes && indexLines(file.bytes);
  for (const each of ofFile) {
    if (!entry || !lines) throw outdated(each);
    // Lines are counted in another commit, and followed to this one in the background.
    const counted = await files.readFile(reviewed, { sha: each.sha, path, maxBytes: 0 });
    if (counted?.oid !== entry.oid) throw conflict(movingText);
    if (!readLines(lines, each)) throw outdated(each);
  }
  return { path, bytes: replaceLines(file!.bytes!, ofFile), executable: entry!.executable ?? false };
}

/** Throws `conflict`, naming the comment, for one that does not say any more what was read. */
export function refuseEdited(located: Located, digest: string): void {
  if (located.digest !== digest)
    throw conflict(`${nameOf(located)} has been edited since you read it: read it again.`);
}

function refuseState(located: Located): void {
  if (located.state === "applied")
    throw conflict(`${nameOf(located)} is applied already, as ${located.applied?.sha.slice(0, 12) ?? ""}.`);
  if (located.state === "outdated") throw outdated(located);
}

const movingText =
  "The source branch has just moved, and the comments are being brought to its new lines: try again in a moment.";

function outdated(located: Located): AppError {
  return conflict(`${nameOf(located)} is outdated: the lines that it replaces have changed.`);
}

function nameOf({ row, index, path }: Located): string {
  return `Suggestion ${index + 1} in comment ${row.id} on ${path}`;
}

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}

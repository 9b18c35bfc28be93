/** Files that a command writes. Whether it may is found out before it asks the server for anything. */
import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../connection/settings.ts";

/** Throws `UsageError`. Changes nothing. */
export async function requireWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new UsageError(`cannot write ${file}: it is a directory`);
  if (found) return requireAccess(file, file);
  const directory = dirname(file);
  const inside = await stat(directory).catch(() => undefined);
  if (!inside?.isDirectory())
    throw new UsageError(`cannot write ${file}: there is no directory ${directory}`);
  await requireAccess(file, directory);
}

async function requireAccess(file: string, place: string): Promise<void> {
  await access(place, constants.W_OK).catch(() => {
    throw new UsageError(`cannot write ${file}: you may not write to ${place}`);
  });
}

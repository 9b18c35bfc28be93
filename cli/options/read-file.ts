/** Files that a person names on the command line. */
import { readFile } from "node:fs/promises";
import { UsageError } from "../connection/settings.ts";

/** Throws UsageError. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(`cannot read ${file}`);
  }
}

/** Without the end of the line that editors add. Throws UsageError. */
export async function readSecretFile(file: string): Promise<string> {
  return (await readText(file)).trimEnd();
}

/** PEM, or for `none` null. Throws UsageError. */
export async function readAuthorityFile(file: string): Promise<string | null> {
  return file === "none" ? null : readText(file);
}

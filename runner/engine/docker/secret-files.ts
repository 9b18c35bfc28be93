/**
 * Secrets as files, in the directories of scripts, which are on a memory file system where the machine has one. The files of a
 * step go when it ends, those of a service with its job.
 */
import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineService, StepCommand } from "../engine.ts";
import { supervisorPlaces, type EngineContext } from "./context.ts";
import type { ContainerMount } from "./create-options.ts";
import type { Journal } from "./journal.ts";
import { newMountBase } from "./mount-base.ts";

export interface SecretFile {
  name: string;
  content: string;
}

/** `paths` inside by the variables that hold them. */
export function stepSecretFiles(
  { position, files = {} }: Pick<StepCommand, "position" | "files">,
  directory: string,
): { paths: Record<string, string>; secretFiles: SecretFile[] } {
  const named = Object.entries(files).map(([variable, content], index) => ({
    variable,
    content,
    name: `step-${String(position)}.secret-${String(index)}`,
  }));
  return {
    paths: Object.fromEntries(named.map(({ variable, name }) => [variable, `${directory}/${name}`])),
    secretFiles: named.map(({ name, content }) => ({ name, content })),
  };
}

/** Script, environment and secrets of one step. */
export function isOfStep(name: string, position: number): boolean {
  return name.startsWith(`step-${String(position)}.`);
}

const ownerOnly = 0o400;
const everyone = 0o444;

/** Programs such as ssh refuse keys that others may read, so where it can be done only the step's user may. */
export async function writeSecretFile(path: string, content: string, user: Journal["ready"]): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  await chmod(path, (await belongsTo(path, user)) ? ownerOnly : everyone);
}

async function belongsTo(path: string, user: Journal["ready"]): Promise<boolean> {
  if (user === null) return false;
  // Root in the container reads it whoever owns it.
  if (process.getuid?.() !== 0) return user.uid === 0;
  return chown(path, user.uid, user.gid).then(
    () => true,
    () => false,
  );
}

/** Services have no variables with values: the daemon writes a container's environment to its disk, and shows it. */
export async function writeServiceSecrets(
  context: EngineContext,
  jobKey: string,
  { key, files = {} }: Pick<EngineService, "key" | "files">,
): Promise<{ mounts: ContainerMount[]; paths: Record<string, string> }> {
  const given = Object.entries(files);
  if (given.length === 0) return { mounts: [], paths: {} };
  const { inDir } = supervisorPlaces(context, jobKey, `service-${key}`);
  await mkdir(inDir, { recursive: true });
  const target = `${newMountBase()}/secrets` as const;
  const paths: Record<string, string> = {};
  for (const [variable, content] of given) {
    const path = join(inDir, variable);
    await writeFile(path, content, { mode: 0o600 });
    // Programs of services change their user before they read it.
    await chmod(path, everyone);
    paths[variable] = `${target}/${variable}`;
  }
  await chmod(inDir, 0o755);
  return { mounts: [{ source: inDir, target, readOnly: true }], paths };
}

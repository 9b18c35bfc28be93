/** The pipeline files that a person means on the command line: all of the project, or files, folders and names of pipelines. */
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { directory, type ChosenFiles } from "@forgeline/compiler/choose-files.ts";
import { UsageError } from "../connection/settings.ts";
import { rootOf } from "./compile-checkout.ts";
import { nameAmong, whyNone } from "./pipeline-names.ts";
import { pipelinesIn } from "./pipelines-in.ts";

/** Stands for standard input. */
export const standardInput = "-";

export interface NamedFiles {
  /** As they are to be shown and opened from the current folder, each once. */
  files: string[];
  /** What is wrong with a set of files, none of which is then named. */
  diagnostics: ChosenFiles["diagnostics"];
}

/** Without names, all of the project. Throws `UsageError` where nothing is meant by a name. */
export async function namedFiles(named: readonly string[]): Promise<NamedFiles> {
  const root = await rootOf(process.cwd());
  const found: NamedFiles[] = [];
  if (named.length === 0) found.push(await projectFiles(root));
  for (const name of named) found.push(await meantBy(name, root));
  return {
    files: [...new Set(found.flatMap(({ files }) => files))],
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function meantBy(name: string, root: string): Promise<NamedFiles> {
  if (name === standardInput) return { files: [name], diagnostics: [] };
  const there = await stat(name).catch(() => null);
  if (there?.isDirectory()) return inFolder(name);
  if (there !== null || /\.ya?ml$/.test(name)) return { files: [name], diagnostics: [] };
  const { files, diagnostics } = await pipelinesIn(root);
  const file = nameAmong(files, name);
  if (file !== null) return { files: [fromHere(root, file)], diagnostics: [] };
  if (diagnostics.length > 0) return { files: [], diagnostics };
  throw new UsageError(whyNone(root, files, name));
}

/** A project has its own way to say which files are pipelines; of another folder, all files are meant that look like one. */
async function inFolder(folder: string): Promise<NamedFiles> {
  const path = resolve(folder);
  if (basename(path) === directory) return projectFiles(join(path, ".."));
  const { files, diagnostics } = await pipelinesIn(path);
  if (files.length > 0 || diagnostics.length > 0)
    return { files: files.map((file) => fromHere(path, file)), diagnostics };
  const names = (await readdir(path)).filter((name) => /\.ya?ml$/.test(name)).toSorted();
  if (names.length === 0) throw new UsageError(whyNone(folder, [], undefined));
  return { files: names.map((name) => fromHere(path, name)), diagnostics: [] };
}

async function projectFiles(root: string): Promise<NamedFiles> {
  const { files, diagnostics } = await pipelinesIn(root);
  if (files.length === 0 && diagnostics.length === 0) throw new UsageError(whyNone(root, [], undefined));
  return { files: files.map((file) => fromHere(root, file)), diagnostics };
}

function fromHere(root: string, file: string): string {
  return relative(process.cwd(), join(root, file));
}

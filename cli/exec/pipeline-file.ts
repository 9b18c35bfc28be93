/** Which pipeline file is meant, and its text: of the working tree, or as it is committed. */
import { readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import {
  choosePipelineFiles,
  directory,
  singleFile,
  type ChosenFiles,
} from "@forgeline/compiler/choose-files.ts";
import { limits } from "@forgeline/compiler/limits.ts";
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import { nameAmong, whyNone } from "../checkout/pipeline-names.ts";
import { pipelinesIn } from "../checkout/pipelines-in.ts";
import { ExecProblem } from "./exec-problem.ts";
import { git, gitPaths } from "./git.ts";
import type { LocalRepository } from "./repository.ts";
import type { ExecRequest } from "./request.ts";

export interface FoundFile {
  /** Path from the top of the working tree. */
  file: string;
  text: string;
}

type Asked = Pick<ExecRequest, "file" | "directory" | "committed">;

/** Throws `ExecProblem`; what is wrong with the set of files comes as a diagnostic. */
export async function findPipelineFile(
  repository: LocalRepository,
  asked: Asked,
): Promise<FoundFile | { diagnostics: Diagnostic[] }> {
  if (asked.committed && repository.head === null)
    throw new ExecProblem("--commit: nothing is committed here");
  const { files, diagnostics } = await chosenIn(repository, asked.committed);
  const file = pathIn(repository, asked) ?? nameAmong(files, asked.file);
  if (file !== null) return { file, text: await readProjectFile(repository, file, asked.committed) };
  if (diagnostics.length > 0) return { diagnostics };
  throw new ExecProblem(whyNone(repository.root, files, asked.file));
}

async function chosenIn({ root }: LocalRepository, committed: boolean): Promise<ChosenFiles> {
  if (!committed) return pipelinesIn(root);
  return choosePipelineFiles(
    await gitPaths(root, ["ls-tree", "--name-only", "-z", "HEAD", singleFile, `${directory}/`]),
  );
}

/** A path that ends like a pipeline file, from where the command was called. */
function pathIn({ root }: LocalRepository, { file, directory: from }: Asked): string | null {
  if (file === undefined || !/\.ya?ml$/.test(file)) return null;
  const path = relative(root, resolve(from, file));
  if (path.startsWith("..")) throw new ExecProblem(`${file} is not in ${root}`);
  return path.split(sep).join("/");
}

/** As it is in the working tree, or as it is committed. Throws `ExecProblem`. */
export async function readProjectFile(
  { root }: LocalRepository,
  file: string,
  committed: boolean,
): Promise<string> {
  const bytes = await (
    committed ? git(root, ["cat-file", "blob", `HEAD:${file}`]) : readFile(join(root, file))
  ).catch(() => {
    throw new ExecProblem(committed ? `${file} is not committed` : `cannot read ${file}`);
  });
  // The compiler says how large it may be; more than that is not decoded.
  return bytes.subarray(0, limits.fileBytes + 1).toString("utf8");
}

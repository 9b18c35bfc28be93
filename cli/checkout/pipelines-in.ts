/** The pipeline files of a folder, as they are in the working tree. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  choosePipelineFiles,
  directory,
  singleFile,
  type ChosenFiles,
} from "@forgeline/compiler/choose-files.ts";

/** Paths from `root`. What is wrong with the set of files comes as a diagnostic. */
export async function pipelinesIn(root: string): Promise<ChosenFiles> {
  const namesIn = (place: string) => readdir(place).catch((): string[] => []);
  const [top, inside] = await Promise.all([namesIn(root), namesIn(join(root, directory))]);
  const paths = inside.map((name) => `${directory}/${name}`);
  return choosePipelineFiles([...(top.includes(singleFile) ? [singleFile] : []), ...paths]);
}

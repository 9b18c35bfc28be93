/** Bytes by language: of all files of a commit, or the difference from another commit. */
import type { CatFilePool } from "../../../platform/git/processes/cat-file.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { readAttributes } from "../../../platform/git/history/attributes.ts";
import type { FileStep } from "../../../platform/git/history/tree-changes.ts";
import {
  attributePrefix,
  classify,
  linguistAttributes,
  maxContentBytes,
  mayCount,
} from "./linguist/classify.ts";
import { linguistData } from "./linguist/data.ts";

export interface LanguageSum {
  color: string | null;
  /** May be negative in a difference. */
  bytes: number;
  files: number;
}

export interface LanguageDeps {
  git: Git;
  objects: CatFilePool;
}

export interface LanguageQuestion {
  directory: string;
  /** Whose `.gitattributes` count: full id. */
  commit: string;
  steps: readonly FileStep[];
  signal: AbortSignal;
}

const readsAtOnce = 16;

/** By name. Subtracts the old files and adds the new ones. */
export async function sumLanguages(
  { git, objects }: LanguageDeps,
  question: LanguageQuestion,
): Promise<Map<string, LanguageSum>> {
  const { directory, commit, steps, signal } = question;
  const data = linguistData();
  const attributes = await readAttributes(git.run, {
    directory,
    commit,
    paths: steps.map((step) => step.path),
    prefix: attributePrefix,
    names: linguistAttributes,
    signal,
  });
  const sums = new Map<string, LanguageSum>();

  async function count(path: string, oid: string | null, sign: 1 | -1): Promise<void> {
    const ofFile = { path, attributes: attributes.get(path) ?? {} };
    if (oid === null || !mayCount(data, path, ofFile.attributes)) return;
    const content = await objects.read(directory, oid, maxContentBytes);
    const language = content && classify(data, ofFile, content);
    if (!content || !language) return;
    const sum = sums.get(language.name) ?? { color: language.color, bytes: 0, files: 0 };
    sum.bytes += sign * content.sizeBytes;
    sum.files += sign;
    sums.set(language.name, sum);
  }

  for (let start = 0; start < steps.length; start += readsAtOnce) {
    signal.throwIfAborted();
    const some = steps.slice(start, start + readsAtOnce);
    await Promise.all(
      some.flatMap(({ path, before, after }) => [count(path, before, -1), count(path, after, 1)]),
    );
  }
  return sums;
}

/** Caches of a job as an author writes them: files that later runs may start with. */
import { z } from "zod";
import { maxCacheKeyChars, maxCaches, maxRestorePrefixes } from "../caches/limits.ts";
import { FileStrings } from "./file-values.ts";

const expectedKey = `a text of 1 to ${maxCacheKeyChars} characters`;
const CacheKey = z.string().min(1, expectedKey).max(maxCacheKeyChars, expectedKey);

export const FileCache = z
  .strictObject({
    key: CacheKey.describe(
      "Name of the entry. May hold ${{ }}, also hashFiles('package-lock.json'). An entry never changes.",
    ),
    restore: z
      .array(CacheKey)
      .max(maxRestorePrefixes)
      .optional()
      .describe(
        "Beginnings of keys, tried in this order where there is no entry with the key: the newest entry is used.",
      ),
    paths: FileStrings.describe(
      "Files and directories: relative to the workspace, below ~/, or absolute. * stops at /, ** does not; !x excludes.",
    ),
    policy: z
      .enum(["pull", "push", "pull-push"])
      .optional()
      .describe("Only restore it (pull), only save it (push), or both. Default pull-push."),
    scope: z
      .enum(["branch", "repo"])
      .optional()
      .describe(
        "Whose entries are meant: those of the run's branch, then the default branch (branch, the default), or those of all branches (repo).",
      ),
  })
  .meta({ id: "cache", description: "Files that later runs can start with." });
export type FileCache = z.infer<typeof FileCache>;

export const FileCaches = z.array(FileCache).meta({ id: "caches", maxItems: maxCaches });

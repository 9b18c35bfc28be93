/** `on` of the file to triggers. Omitted: push, tag, manual and api. */
import type { z } from "zod";
import type { FileOn } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { allPushes, defaultTriggers, type CompiledTriggers } from "./triggers.ts";

export function buildTriggers(on: z.infer<typeof FileOn> | undefined): CompiledTriggers {
  if (on === undefined) return defaultTriggers;
  if (typeof on === "string" || Array.isArray(on)) {
    const names = [on].flat();
    return {
      push: names.includes("push") ? allPushes : null,
      tag: names.includes("tag") ? { tags: null } : null,
      manual: names.includes("manual"),
      api: names.includes("api"),
    };
  }
  const push = on.push ?? {};
  return {
    push:
      on.push === undefined
        ? null
        : {
            branches: list(push.branches),
            branchesIgnore: list(push.branches_ignore),
            paths: list(push.paths),
            pathsIgnore: list(push.paths_ignore),
          },
    tag: on.tag === undefined ? null : { tags: list(on.tag?.tags) },
    manual: on.manual !== undefined,
    api: on.api !== undefined,
  };
}

function list(patterns: string | string[] | undefined): string[] | null {
  return patterns === undefined ? null : [patterns].flat();
}

/** Refs as the files of a bare repository name them. What is no ref is left out. */
import { buffer } from "node:stream/consumers";
import { SourceProblem } from "../source-problem.ts";
import type { ArchiveEntry } from "./archive-entries.ts";

const maxRefs = 500_000;
const maxPackedBytes = 128 * 1024 * 1024;
const maxFileBytes = 4_096;

export function createArchivedRefs() {
  const loose = new Map<string, string>();
  const packed = new Map<string, string>();
  let head: string | null = null;

  function note(refs: Map<string, string>, [name, oid]: [string, string]): void {
    // What could leave its line, or could be taken for something else.
    if (!/^refs\/[^\s\p{Cc}]{1,1000}$/u.test(name)) return;
    refs.set(name, oid);
    if (refs.size > maxRefs)
      throw new SourceProblem(`The repository has more than ${maxRefs} branches and tags.`);
  }

  return {
    /** `path` in the repository: one of a ref, `packed-refs`, `HEAD`, or any other. */
    async take(path: string, { sizeBytes, bytes }: ArchiveEntry): Promise<void> {
      const isPacked = path === "packed-refs";
      if (!isPacked && path !== "HEAD" && !path.startsWith("refs/")) return;
      if (sizeBytes > (isPacked ? maxPackedBytes : maxFileBytes)) return;
      const text = (await buffer(bytes)).toString("utf8");
      if (path === "HEAD") head = /^ref: (refs\/heads\/\S+)\s*$/.exec(text)?.[1] ?? null;
      else if (isPacked)
        for (const line of text.split("\n")) {
          const [, oid, name] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? [];
          if (oid && name) note(packed, [name, oid]);
        }
      else {
        const oid = /^([0-9a-f]{40})\s*$/.exec(text)?.[1];
        if (oid) note(loose, [path, oid]);
      }
    },
    count: () => loose.size + packed.size,
    head: () => head,
    /** As Git keeps them in one file. */
    packed: () => [...new Map([...packed, ...loose])].map(([name, oid]) => `${oid} ${name}\n`).join(""),
  };
}

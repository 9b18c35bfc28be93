/** Mistakes that only follow from another one: a key that is missing because another word stands for it. */
import type { z } from "zod";
import { isWordFor } from "./other-words.ts";
import { objectKind } from "./path-kinds.ts";
import type { Path } from "./path.ts";
import { nearest } from "./suggest.ts";
import { nodeAt, type TreeNode } from "./tree.ts";

type Issue = z.core.$ZodIssue;

/** The issues without those about a key that is misspelt, named as elsewhere, or swallowed by a command without quotes. */
export function withoutEchoes(issues: readonly Issue[], tree: TreeNode, base: Path = []): Issue[] {
  const unknown = issues.filter((issue) => issue.code === "unrecognized_keys");
  return issues.filter((issue) => {
    const path = [...base, ...(issue.path as Path)];
    if (issue.code !== "invalid_type" || nodeAt(tree, path) !== undefined) return true;
    const owner = path.slice(0, -1);
    const wanted = String(path.at(-1));
    return !unknown.some(
      (other) =>
        isSame([...base, ...(other.path as Path)], owner) &&
        other.keys.some((key) => standsFor(key, wanted, owner)),
    );
  });
}

function standsFor(key: string, wanted: string, owner: Path): boolean {
  const kind = objectKind(owner);
  if (kind === "step" && wanted === "run" && isCommand(key)) return true;
  return isWordFor(kind, key, wanted) || nearest(key, [wanted]) !== null;
}

/** A line such as `echo a: b`, which YAML reads as a mapping. No key of ours has a space. */
export function isCommand(key: string): boolean {
  return /\s/.test(key);
}

function isSame(a: Path, b: Path): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

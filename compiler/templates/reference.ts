/** What `uses` names: a template of the repository in which the file lies, or of another one at a ref. */

export interface TemplateReference {
  /** Identifies the file, as seen from the pipeline file: `./path` or `org/repo//path@ref`. */
  key: string;
  /** null: the repository of the pipeline file, at the commit of the run. */
  source: { repository: string; ref: string } | null;
  /** From the root of the repository. */
  path: string;
  /** `./` in a template of another repository: it comes with that one. */
  isInherited: boolean;
}

/** Where a file with `uses` lies; null: in the repository of the pipeline file. */
export type Origin = TemplateReference["source"];

const form =
  "write ./path.yml for a file of this repository, or org/repo//path.yml@ref for one of another repository";

/** `problem`: a sentence without a full stop, and how to mend it. */
export function readReference(
  text: string,
  origin: Origin,
): { reference: TemplateReference } | { problem: string; hint: string } {
  const own = /^\.\/(.+)$/.exec(text);
  const other = /^([A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+)\/\/([^@]+)@(\S+)$/.exec(text);
  const path = own?.[1] ?? other?.[2];
  if (path === undefined)
    return /^[^/]+\/[^/]+\/\/[^@]+$/.test(text)
      ? { problem: "a template of another repository needs a ref", hint: "add @ and a tag or commit" }
      : { problem: "this is no path of a template", hint: form };
  if (!isPlainPath(path))
    return { problem: `the path of a template must not contain ".", "..", or empty parts`, hint: form };
  if (!/\.ya?ml$/.test(path))
    return { problem: "the name of a template must end in .yml or .yaml", hint: form };
  const source = other ? { repository: other[1] ?? "", ref: other[3] ?? "" } : origin;
  return { reference: { key: keyOf(source, path), source, path, isInherited: !other && origin !== null } };
}

function keyOf(source: Origin, path: string): string {
  return source === null ? `./${path}` : `${source.repository}//${path}@${source.ref}`;
}

/** As Git names files: a repository is never left. */
function isPlainPath(path: string): boolean {
  return (
    !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

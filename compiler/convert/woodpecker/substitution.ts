/**
 * `${VARIABLE}` of Woodpecker, which it replaces in the whole file before anything else reads it: with operations like those of
 * bash, and with `$$` for a `$` that is to stay.
 */

export interface Substitution {
  kind: "variable";
  /** As it is written. */
  all: string;
  name: string;
  /** What follows the name, such as `:0:8` or `##v`; "#" before it for its length. */
  operation: string;
}

export type Part = { kind: "text"; text: string } | Substitution;

const pattern = /\$\$|\$\{(#?)([A-Za-z_]\w*)([^}]*)\}/g;

/** The parts of a text. What Woodpecker would refuse to replace, such as `${}`, stays text. */
export function splitSubstitutions(text: string): Part[] {
  const parts: Part[] = [];
  let kept = "";
  let at = 0;
  const flush = () => {
    if (kept !== "") parts.push({ kind: "text", text: kept });
    kept = "";
  };
  for (const { 0: all, 1: length = "", 2: name = "", 3: operation = "", index } of text.matchAll(pattern)) {
    kept += text.slice(at, index);
    at = index + all.length;
    if (all === "$$") kept += "$";
    else {
      flush();
      parts.push({ kind: "variable", all, name, operation: `${length}${operation}` });
    }
  }
  kept += text.slice(at);
  flush();
  return parts;
}

/** What stands in place of an empty value; null: the operation is another one. */
export function defaultOf(operation: string): string | null {
  return /^(?::?=|:-)(.*)$/s.exec(operation)?.[1] ?? null;
}

/** A step in place of work that is not carried over. It fails, since a run that leaves work out must not look done. */
import type { PlainMap } from "./plain.ts";

export function placeholder(what: string): PlainMap {
  const text = what.replace(/[^A-Za-z0-9 ._/:-]/g, "").slice(0, 100);
  return {
    name: "Not converted",
    run: `echo "${text} is not converted: see the comments in the pipeline file" >&2\nexit 1\n`,
  };
}

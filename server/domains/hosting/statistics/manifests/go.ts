/**
 * `go.mod`. It names the version of every module in a build, transitive ones with `// indirect`; `go.sum` has only checksums,
 * also of versions that are not used.
 */
import { UnreadableManifest, type Dependency } from "./dependency.ts";

export function readGoMod(text: string): Dependency[] {
  if (!/^\s*module\s/m.test(text)) throw new UnreadableManifest("There is no `module` line.");
  const list: Dependency[] = [];
  let block: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const words = line
      .replace(/\/\/.*$/, "")
      .trim()
      .split(/\s+/);
    const opened = words.length === 2 && words[1] === "(" ? words[0] : undefined;
    if (opened !== undefined) block = opened;
    else if (words[0] === ")") block = undefined;
    else {
      const [verb, name, version] = block === undefined ? words : [block, ...words];
      if (verb !== "require" || name === undefined || version === undefined) continue;
      const direct = !/\/\/\s*indirect\b/.test(line);
      list.push({
        name: name.replaceAll('"', ""),
        requirement: version,
        version,
        direct,
        scope: "runtime",
        requires: [],
      });
    }
  }
  return list;
}

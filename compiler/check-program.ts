/** `shell: none`: the text of `run` is a program, and its first line says by what it is run. */
import type { Path } from "./path.ts";
import type { Report } from "./report.ts";
import { nodeAt, spanOfValue, type MapNode, type ScalarNode } from "./tree.ts";

/** What Linux reads of the first line. */
const maxBytes = 255;

export function checkProgram(
  node: ScalarNode,
  path: Path,
  { tree, report }: { tree: MapNode; report: Report },
): void {
  if (shellOf(path, tree) !== "none") return;
  const [line = ""] = node.text.split("\n", 1);
  const span = spanOfValue(tree, path);
  const hint = "begin with a line such as #!/usr/bin/env python3, or choose another `shell`";
  if (!/^#![ \t]*\/[^ \t]/.test(line))
    report.add("P103", span, { message: "with `shell: none`, `run` must begin with #! and a path", hint });
  else if (Buffer.byteLength(line) > maxBytes)
    report.add("P103", span, {
      message: `with \`shell: none\`, the first line of \`run\` can have at most ${maxBytes} bytes`,
    });
}

/** Of the step whose script is at the path: its own, or the file's default. */
function shellOf(path: Path, tree: MapNode): string | null {
  const own = path.at(-1) === "run" ? nodeAt(tree, [...path.slice(0, -1), "shell"]) : undefined;
  const shell = own ?? nodeAt(tree, ["defaults", "shell"]);
  return shell?.kind === "scalar" ? shell.text : null;
}

/** A `go` that fetches and builds nothing: it does what our build of Temporal asks of the real one, and notes how. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporalModules } from "@forgeline/launcher/versions.ts";

export interface FakeGo {
  /** Path of the program. */
  program: string;
  /** Folder of a module as `go` would have unpacked it: files are put there by the test. */
  unpacked(module: keyof typeof temporalModules): string;
  /** Its calls: the arguments of each, and what the folder that it was called in held. */
  calls(): Promise<string[]>;
}

/** In a folder that need not be there; `sum` takes the place of the pinned checksums. */
export async function makeFakeGo(place: string, sum?: string): Promise<FakeGo> {
  const unpacked = (module: string) => join(place, "unpacked", module);
  const answers: string[] = [];
  for (const [name, module] of Object.entries(temporalModules)) {
    await mkdir(unpacked(name), { recursive: true });
    answers.push(JSON.stringify({ Path: module.path, Dir: unpacked(name), Sum: sum ?? module.sum }, null, 2));
  }
  await writeFile(join(place, "answer.json"), answers.join("\n"));
  const program = join(place, "go");
  await writeFile(program, script(place));
  await chmod(program, 0o755);
  return {
    program,
    unpacked,
    calls: async () => (await readFile(join(place, "calls"), "utf8")).trim().split("\n"),
  };
}

function script(place: string): string {
  return `#!/bin/sh
echo "$* CGO_ENABLED=$CGO_ENABLED GOFLAGS=$GOFLAGS" >> "${place}/calls"
case "$1" in
mod) cat "${place}/answer.json" ;;
list)
  find . -type f | sort > "${place}/files"
  echo "go: downloading example.org/one v1.0.0" >&2
  printf 'fmt\\nexample.org/one\\n'
  ;;
build)
  echo fmt >&2
  while [ "$1" != -o ]; do shift; done
  for p in server sql; do echo "built $p" > "$2/$p"; done
  ;;
esac
`;
}

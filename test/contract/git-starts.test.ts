/** Row 78: no process of Git is started past the gate. One file starts Git, after it was admitted; nothing else starts any program. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const checkout = join(import.meta.dirname, "../..");
/** What could start a program or a Git of its own, and the only files that may. */
const launchers: [word: RegExp, mayUse: readonly string[]][] = [
  [
    /child_process/,
    [
      // The scanner that the operator names, for a minute at most.
      "server/domains/collaboration/attachments/scan.ts",
      // Only `flock`, which ends at once.
      "server/platform/file-locks.ts",
      // Only `ssh`, for half a minute at most, in a sync that was admitted.
      "server/platform/git/remote/ssh-command.ts",
      ...["process-starter.ts", "start-process.ts", "starter.ts"].map(
        (name) => `server/platform/processes/${name}`,
      ),
    ],
  ],
  [
    /\b(?:startProcess|createProcessStarter)\(/,
    [
      "server/platform/git/processes/run-git.ts",
      "server/platform/processes/process-starter.ts",
      "server/platform/processes/start-process.ts",
    ],
  ],
  [
    /\bcreateGit\(/,
    ["server/platform/git/processes/run-git.ts", "server/platform/git/storage/create-git-store.ts"],
  ],
];

function wrongIn(file: string, text: string): string[] {
  return launchers
    .filter(([word, mayUse]) => word.test(text) && !mayUse.includes(file))
    .map(([word]) => `${file}: ${word.source}`);
}

test("only the files that start Git behind the gate start programs", () => {
  const files = globSync("{server,workflows}/**/*.ts", { cwd: checkout, exclude: ["**/node_modules/**"] });
  expect(files.length).toBeGreaterThan(400);
  expect(files.flatMap((file) => wrongIn(file, readFileSync(join(checkout, file), "utf8")))).toEqual([]);
});

test("a file that starts Git by itself is found", () => {
  for (const text of [
    'import { execFile } from "node:child_process";',
    'const { spawn } = process.getBuiltinModule("child_process");',
    'const child = await startProcess({ program: "git" });',
    "const git = createGit(options);",
  ])
    expect(wrongIn("server/features/x/service.ts", text)).toHaveLength(1);
});

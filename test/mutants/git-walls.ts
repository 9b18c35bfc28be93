/** Mistakes in what may be fetched by its id. */
import type { Mutant } from "./mutant.ts";

const walls = "test/security/walls/25-26-walls.test.ts";

export const gitWalls: readonly Mutant[] = [
  {
    name: "git-access-push-needs-disk",
    promise: "A push begins only where the disk has room.",
    file: "server/domains/hosting/git-access/exchange.ts",
    find: "      await assertRoom(directory);\n",
    replace: "",
    tests: ["test/unit/server/domains/hosting/git-access/exchange.test.ts"],
  },
  {
    name: "git-hidden-refs-reach-nothing",
    promise: "Security 25: what only a ref of the server reaches is served to nobody.",
    file: "server/platform/git/objects/reachable-objects.ts",
    find: `"--exclude=refs/internal/*", `,
    replace: ``,
    tests: [walls, "test/integration/git/reachable-objects.test.ts"],
  },
  {
    name: "git-objects-that-nothing-reaches",
    promise: "Security 82: directories, files and tags that no visible ref reaches are served to nobody.",
    file: "server/platform/git/transfer/wants.ts",
    find: "return others.length === 0 || areReached({ directory, ids: others, signal });",
    replace: "return true;",
    tests: [walls],
  },
  {
    name: "git-haves-of-files",
    promise:
      "Security 82: nobody learns by what it says to have whether a file or directory was ever pushed.",
    file: "server/platform/git/transfer/haves.ts",
    find: `types[index] === "commit" || (`,
    replace: `types[index] === "blob" || types[index] === "commit" || (`,
    tests: ["test/security/walls/82-haves.test.ts"],
  },
  {
    name: "git-haves-of-later-rounds",
    promise: "Security 82: over SSH what a client says to have in later rounds is judged, too.",
    file: "server/edges/git-ssh/upload-pack.ts",
    find: "if (asked) return pass(chunk);",
    replace: "if (asked) return writeWithBackpressure(stdin, chunk);",
    tests: ["test/security/walls/82-haves.test.ts"],
  },
  {
    name: "git-lists-side-by-side",
    promise: "Security 78: the objects of a repository are listed once at a time, however many ask.",
    file: "server/platform/git/objects/object-list.ts",
    find: "    await reading.get(directory);\n",
    replace: "",
    tests: [
      "test/unit/server/platform/git/objects/object-list.test.ts",
      "test/integration/git/reachable-objects.test.ts",
    ],
  },
  {
    name: "git-objects-without-a-bitmap",
    promise: "What a visible ref reaches is served also while no bitmap is there, or none that knows a tip.",
    file: "server/platform/git/objects/reachable-objects.ts",
    find: "(await areSubtracted(startGit, asked)) || areListed(asked)",
    replace: "areSubtracted(startGit, asked)",
    tests: ["test/integration/git/reachable-objects.test.ts"],
  },
  {
    name: "git-hidden-names-in-either-form",
    promise: "Security 25: no client makes history end at a ref of the server, however it is named.",
    file: "server/platform/git/transfer/wants.ts",
    find: String.raw`/^deepen-not (?:refs\/)?internal\//`,
    replace: String.raw`/^deepen-not refs\/internal\//`,
    tests: ["test/unit/server/platform/git/transfer/wants.test.ts"],
  },
];

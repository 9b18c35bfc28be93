/** Where the tests of each room of the product are. */

export interface Room {
  /** Start of the paths of its sources. */
  sources: string;
  /** Starts of the paths of its tests: the nearest first. */
  tests: readonly string[];
}

const ofServer = [
  "test/unit/server/",
  "test/integration/api/audit/every-change/",
  "test/integration/api/",
  "test/security/",
  "test/integration/server/",
];

/** The first that fits counts. */
export const rooms: readonly Room[] = [
  {
    sources: "server/git/",
    tests: ["test/unit/server/git/", "test/security/walls/", "test/integration/git/", "test/security/"],
  },
  { sources: "server/features/lfs/", tests: ["test/integration/git/lfs/", ...ofServer] },
  {
    sources: "server/features/pushes/",
    tests: ["test/unit/server/features/pushes/", "test/integration/git/", ...ofServer],
  },
  {
    sources: "server/features/pipelines/",
    tests: [
      "test/integration/api/pipelines/",
      "test/integration/workflows/",
      "test/integration/runner-hub/",
      ...ofServer,
    ],
  },
  {
    sources: "server/features/runners/",
    tests: ["test/integration/api/runners/", "test/integration/runner-hub/", ...ofServer],
  },
  {
    sources: "server/features/logs/",
    tests: ["test/integration/logs/", "test/integration/api/logs/", ...ofServer],
  },
  { sources: "server/http/", tests: ["test/integration/limits/", ...ofServer] },
  { sources: "server/features/limits/", tests: ["test/integration/limits/", ...ofServer] },
  {
    sources: "server/sockets/",
    tests: [
      "test/integration/runner-hub/",
      "test/integration/api/logs/",
      "test/integration/logs/",
      ...ofServer,
    ],
  },
  { sources: "server/db/", tests: ["test/integration/db/", ...ofServer] },
  { sources: "server/", tests: ofServer },
  { sources: "schemas/pipeline/", tests: ["test/unit/compiler/", "test/unit/schemas/"] },
  { sources: "schemas/runner/", tests: ["test/integration/runner-hub/", "test/unit/runner/"] },
  { sources: "schemas/", tests: ["test/unit/schemas/", ...ofServer] },
  { sources: "compiler/", tests: ["test/unit/compiler/", "test/integration/api/pipelines/"] },
  { sources: "cli/", tests: ["test/unit/cli/", "test/integration/cli/"] },
  { sources: "clients/", tests: ["test/unit/cli/", "test/integration/cli/", "test/unit/web/"] },
  { sources: "runner/", tests: ["test/unit/runner/", "test/integration/runner/", "test/hostile/"] },
  { sources: "workflows/", tests: ["test/unit/workflows/", "test/replay/", "test/integration/workflows/"] },
  { sources: "launcher/", tests: ["test/unit/launcher/", "test/integration/launcher/"] },
  { sources: "docs/", tests: ["test/unit/server/features/docs/", "test/integration/api/conventions/pages"] },
  { sources: "bench/", tests: ["test/integration/bench"] },
  { sources: "web/", tests: ["test/unit/web/", "test/web/"] },
];

export function roomOf(path: string): Room | undefined {
  return rooms.find(({ sources }) => path.startsWith(sources));
}

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

const ofGit = (edge: string) => [
  `test/unit/server/edges/${edge}/`,
  "test/unit/server/platform/git/",
  "test/security/walls/",
  "test/integration/git/",
  "test/security/",
];

/** The first that fits counts. */
export const rooms: readonly Room[] = [
  {
    sources: "server/platform/git/",
    tests: [
      "test/unit/server/platform/git/",
      "test/security/walls/",
      "test/integration/git/",
      "test/security/",
    ],
  },
  { sources: "server/edges/git-http/", tests: ofGit("git-http") },
  { sources: "server/edges/git-ssh/", tests: ofGit("git-ssh") },
  {
    sources: "server/domains/hosting/git-access/",
    tests: ["test/integration/git/", "test/security/", ...ofServer],
  },
  { sources: "server/domains/hosting/lfs/", tests: ["test/integration/git/lfs/", ...ofServer] },
  { sources: "server/edges/lfs/", tests: ["test/integration/git/lfs/", ...ofServer] },
  {
    sources: "server/domains/hosting/pushes/",
    tests: ["test/unit/server/domains/hosting/pushes/", "test/integration/git/", ...ofServer],
  },
  {
    sources: "server/domains/pipelines/runners/",
    tests: ["test/integration/api/runners/", "test/integration/runner-hub/", ...ofServer],
  },
  {
    sources: "server/domains/pipelines/leases/",
    tests: ["test/integration/runner-hub/", "test/integration/api/runners/", ...ofServer],
  },
  {
    sources: "server/domains/pipelines/logs/",
    tests: ["test/integration/logs/", "test/integration/api/logs/", ...ofServer],
  },
  {
    sources: "server/domains/pipelines/",
    tests: [
      "test/integration/api/pipelines/",
      "test/integration/workflows/",
      "test/integration/runner-hub/",
      ...ofServer,
    ],
  },
  { sources: "server/platform/http/", tests: ["test/integration/limits/", ...ofServer] },
  { sources: "server/edges/http/", tests: ["test/integration/limits/", ...ofServer] },
  { sources: "server/domains/operation/limits/", tests: ["test/integration/limits/", ...ofServer] },
  { sources: "server/edges/runners/", tests: ["test/integration/runner-hub/", ...ofServer] },
  {
    sources: "server/edges/watch/",
    tests: ["test/integration/api/logs/", "test/integration/logs/", ...ofServer],
  },
  { sources: "server/platform/db/", tests: ["test/integration/db/", ...ofServer] },
  { sources: "server/", tests: ofServer },
  { sources: "schemas/pipeline-file/", tests: ["test/unit/compiler/", "test/unit/schemas/"] },
  { sources: "schemas/runner-protocol/", tests: ["test/integration/runner-hub/", "test/unit/runner/"] },
  { sources: "schemas/", tests: ["test/unit/schemas/", ...ofServer] },
  { sources: "compiler/", tests: ["test/unit/compiler/", "test/integration/api/pipelines/"] },
  { sources: "markdown/", tests: ["test/unit/markdown/", "test/web/markdown"] },
  { sources: "cli/", tests: ["test/unit/cli/", "test/integration/cli/"] },
  { sources: "clients/", tests: ["test/unit/cli/", "test/integration/cli/", "test/unit/web/"] },
  { sources: "runner/", tests: ["test/unit/runner/", "test/integration/runner/", "test/hostile/"] },
  { sources: "workflows/", tests: ["test/unit/workflows/", "test/replay/", "test/integration/workflows/"] },
  { sources: "launcher/", tests: ["test/unit/launcher/", "test/integration/launcher/"] },
  { sources: "docs/", tests: ["test/unit/server/edges/docs/", "test/integration/api/conventions/pages"] },
  { sources: "bench/", tests: ["test/integration/bench"] },
  { sources: "web/", tests: ["test/unit/web/", "test/web/"] },
];

export function roomOf(path: string): Room | undefined {
  return rooms.find(({ sources }) => path.startsWith(sources));
}

/** What `npm run hostile` and `npm run fuzz` run at full size. Names begin with the rows of the security page. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

export interface Attack {
  name: string;
  /** From the root of the project. */
  file: string;
  /** A test file runs in Vitest, a program by itself. */
  kind: "tests" | "program";
  /** Made-up input that needs no Docker: `npm run fuzz` runs it too. */
  isRandom: boolean;
}

/** Made-up input that needs no Docker. */
const random = {
  "12-commands": "test/unit/server/edges/git-ssh/command.test.ts",
  "12-ssh": "test/security/12-ssh-commands.test.ts",
  "14-team-trees": "test/integration/api/organizations/team-trees.test.ts",
  "36-masking": "test/unit/runner/logs/masked-streams.test.ts",
  "36-secrets-together": "test/unit/runner/logs/secrets-together.test.ts",
  "40-paths": "test/unit/compiler/workdir-paths.test.ts",
  "44-foreign-messages": "test/integration/runner-hub/foreign-messages.test.ts",
  "46-yaml": "test/unit/compiler/hostile-yaml.test.ts",
};

const others = {
  "01-access-matrix": "test/security/access-matrix/access-matrix.test.ts",
  "07-hidden-or-absent": "test/security/07-hidden-or-absent.test.ts",
  "15-arguments": "test/security/argument-injection/15-over-rest.test.ts",
  "25-26-walls": "test/security/walls/25-26-walls.test.ts",
  "82-haves": "test/security/walls/82-haves.test.ts",
  "41-private-images": "test/security/41-private-images.test.ts",
  "69-entity-tags": "test/security/69-entity-tags.test.ts",
  "bad-fields": "test/security/bad-fields.test.ts",
  "bad-parameters": "test/security/bad-parameters.test.ts",
  "every-read": "test/integration/api/conventions/every-read.test.ts",
  "34-approval-races": "test/security/34-approval-races.test.ts",
  "36-printed-tokens": "test/security/36-printed-tokens.test.ts",
  "39-create-options": "test/security/39-create-options.test.ts",
  "40-workspace-paths": "test/security/40-workspace-paths.test.ts",
  "42-exhaustion": "test/security/42-exhaustion.test.ts",
  "44-foreign-runner": "test/security/44-runner-speaks-for-others.test.ts",
  "46-yaml-bombs": "test/security/46-yaml-bombs.test.ts",
  "R10-mirrors": "test/integration/faults/mirrors.test.ts",
  "R10-push-mirrors": "test/integration/faults/push-mirrors.test.ts",
  "R10-fork-syncs": "test/integration/faults/fork-syncs.test.ts",
  "R10-audit-exports": "test/integration/faults/audit-exports.test.ts",
  "R10-audit-streams": "test/integration/faults/audit-streams.test.ts",
  "45-cache-bombs": "test/integration/runner/cache-bombs.test.ts",
  "bad-input": "test/integration/runner/bad-input.test.ts",
  traces: "test/integration/scenarios.test.ts",
  "R7-webhooks": "test/integration/faults/webhooks.test.ts",
  "R5-runner": "test/integration/faults/runner.test.ts",
  schedules: "test/integration/faults/schedules.test.ts",
  "key-rotations": "test/integration/faults/keys.test.ts",
  "stop-while-starting": "test/integration/launcher/stop-while-starting.test.ts",
  "git-cuts": "test/integration/git/bad-input/cuts.test.ts",
  "git-floods": "test/integration/git/bad-input/floods.test.ts",
  "git-packs": "test/integration/git/bad-input/packs.test.ts",
  "git-protocols": "test/integration/git/clients/protocols.test.ts",
  "git-crash": "test/integration/git/crash.test.ts",
  "git-killed": "test/integration/git/killed-git.test.ts",
  "git-lfs": "test/integration/git/lfs/client.test.ts",
  "git-push": "test/integration/git/push.test.ts",
  "git-ssh-cuts": "test/integration/git/ssh/cuts.test.ts",
  "git-ssh-floods": "test/integration/git/ssh/floods.test.ts",
  "git-ssh-keys": "test/integration/git/ssh/keys.test.ts",
  claims: "test/integration/runner-hub/claims.test.ts",
  "engine-images": "test/integration/runner/engine-images.test.ts",
  "engine-services": "test/integration/runner/engine-services.test.ts",
  "file-swaps": "test/unit/runner/engine/file-swaps.test.ts",
  masker: "test/unit/runner/logs/masker.test.ts",
  "log-stream": "test/unit/runner/logs/log-stream.test.ts",
  "frame-bytes": "test/unit/server/domains/pipelines/logs/frame-bytes.test.ts",
  "ref-prefixes": "test/unit/server/platform/git/refs/ref-prefixes.test.ts",
  haves: "test/unit/server/platform/git/transfer/haves.test.ts",
  "template-values": "test/unit/compiler/template-values.test.ts",
  "pipeline-plan": "test/unit/workflows/definitions/pipeline-plan.test.ts",
  "web-log-stream": "test/unit/web/log-stream.test.ts",
  sgr: "test/unit/web/sgr.test.ts",
  "slot-model": "test/integration/workflows/slot-model.test.ts",
  "R24-starving": "test/integration/faults/starving.test.ts",
};

const programs = {
  "socket-flood": "test/hostile/socket-flood.ts",
  "git-burst": "test/hostile/git-burst.ts",
  "ssh-flood": "test/hostile/ssh-flood.ts",
};

/** From inside a job. */
const hostile = Object.fromEntries(
  readdirSync(join(import.meta.dirname, "../../test/hostile"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => [basename(name, ".test.ts"), `test/hostile/${name}`]),
);

export const attacks: readonly Attack[] = [
  ...listed(random, { kind: "tests", isRandom: true }),
  ...listed({ ...others, ...hostile }, { kind: "tests", isRandom: false }),
  ...listed(programs, { kind: "program", isRandom: false }),
];

function listed(files: Record<string, string>, what: Pick<Attack, "kind" | "isRandom">): Attack[] {
  return Object.entries(files).map(([name, file]) => ({ name, file, ...what }));
}

/**
 * Those that are meant by names, or by words of names such as `42`, separated by commas; all without any. Throws, with the names
 * that there are, when one means nothing.
 */
export function chosenOf(all: readonly Attack[], only: string | undefined): Attack[] {
  if (only === undefined) return [...all];
  const words = only.split(",");
  const isMeant = (name: string, word: string) => name === word || name.split("-").includes(word);
  const unknown = words.filter((word) => !all.some(({ name }) => isMeant(name, word)));
  if (unknown.length > 0)
    throw new Error(`no ${unknown.join(", ")}; there are ${all.map(({ name }) => name).join(", ")}`);
  return all.filter(({ name }) => words.some((word) => isMeant(name, word)));
}

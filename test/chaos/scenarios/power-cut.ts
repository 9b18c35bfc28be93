/**
 * R9 (b): the power fails in the instant in which a push is acknowledged. The repositories lie in a small ext4 image on XFS, whose
 * `cp --reflink` keeps what had reached the image in one instant; the copy is mounted, its journal replayed, and judged.
 * Needs root, loop devices, and `mkfs.xfs` (xfsprogs).
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressWithToken, createGitClient, type GitClient } from "../../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import type { Round, Scenario } from "../scenario.ts";

const pushesPerRound = 10;

interface Disk {
  /** What is written here is on the image. */
  directory: string;
  /** The power fails now; gives what a machine finds that starts again. */
  cut<T>(judge: (directory: string) => Promise<T>): Promise<T>;
  remove(): void;
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "pipe" });

function createDisk(): Disk {
  const root = mkdtempSync(join(tmpdir(), "forgeline-power-"));
  const [outer, image, copy] = [join(root, "outer"), join(root, "outer/disk"), join(root, "outer/copy")];
  const [directory, after] = [join(root, "disk"), join(root, "after")];
  for (const path of [outer, directory, after]) mkdirSync(path);
  run("truncate", "-s", "1500M", join(root, "outer.img"));
  run("mkfs.xfs", "-q", "-m", "reflink=1", join(root, "outer.img"));
  run("mount", "-o", "loop", join(root, "outer.img"), outer);
  run("truncate", "-s", "256M", image);
  run("mkfs.ext4", "-q", image);
  run("mount", "-o", "loop", image, directory);
  return {
    directory,
    async cut(judge) {
      run("cp", "--reflink=always", image, copy);
      run("mount", "-o", "loop", copy, after);
      try {
        return await judge(after);
      } finally {
        run("umount", after);
        rmSync(copy);
      }
    },
    remove() {
      run("umount", directory);
      run("umount", outer);
      rmSync(root, { recursive: true });
    },
  };
}

interface Bed {
  disk: Disk;
  server: ApiServer;
  git: GitClient;
  ada: TestPerson;
  pushed: number;
}

async function open(): Promise<Bed> {
  const disk = createDisk();
  const server = await startApiServer();
  mkdirSync(join(disk.directory, "repositories"));
  symlinkSync(join(disk.directory, "repositories"), join(server.dataDir, "repositories"));
  const git = await createGitClient(server.caFile);
  return { disk, server, git, ada: await server.person("ada"), pushed: 0 };
}

/** Git's own way, which is known to lose: where it does not, the power was not cut. */
async function controlLoses({ disk, git }: Bed, tree: string): Promise<boolean> {
  const name = `control-${crypto.randomUUID()}.git`;
  const target = join(disk.directory, name);
  await git.ok(["init", "-q", "--bare", target]);
  run("sync", "-f", disk.directory);
  await git.ok(["push", "-q", target, "main"], { cwd: tree });
  return disk.cut(
    async (after) => (await git.run(["-C", join(after, name), "cat-file", "-e", "main^{commit}"])).code !== 0,
  );
}

async function pushAndCut(bed: Bed, refs: number): Promise<string | undefined> {
  const { disk, server, git, ada } = bed;
  const name = `cut-${(bed.pushed += 1)}`;
  const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
  const tree = await git.workTree({ "x.txt": name });
  const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
  const names = Array.from({ length: refs }, (_, n) => (n === 0 ? "refs/heads/main" : `refs/heads/a/${n}/b`));
  const specs = names.map((ref) => `${head}:${ref}`);
  await git.ok(
    ["push", "-q", "--atomic", addressWithToken(server.webUrl, `ada/${name}`, ada.token), ...specs],
    {
      cwd: tree,
    },
  );
  const path = server.container.platform.storage.directory(json.id).replace(server.dataDir, "");
  return disk.cut(async (after) => {
    const directory = join(after, path);
    const at = await git.run(["-C", directory, "rev-parse", ...names]);
    if (
      at.code !== 0 ||
      at.stdout
        .trim()
        .split("\n")
        .some((id) => id !== head)
    )
      return `${name}: of ${refs} refs not all are there`;
    const checked = await git.run(["-C", directory, "fsck", "--full", "--strict"]);
    return checked.code === 0 ? undefined : `${name}: ${checked.stderr.trim()}`;
  });
}

async function round(bed: Bed, random: () => number): Promise<Round> {
  const fault = `power cut at the acknowledgement of ${pushesPerRound} pushes`;
  if (!(await controlLoses(bed, await bed.git.workTree())))
    return { verdict: "void", counts: {}, fault, problems: ["Git's own push survived: nothing was cut"] };
  const problems: string[] = [];
  for (let n = 0; n < pushesPerRound; n++) {
    const problem = await pushAndCut(bed, 1 + Math.floor(random() * 8));
    if (problem) problems.push(problem);
  }
  return {
    verdict: problems.length === 0 ? "good" : "bad",
    counts: { "acknowledged pushes lost or damaged": { bad: problems.length, total: pushesPerRound } },
    faults: pushesPerRound,
    fault,
    problems,
  };
}

export const powerCut: Scenario = {
  row: "R9",
  name: "power-cut",
  promise: "The power fails in the instant of a push's acknowledgement: the push is there, whole",
  async open() {
    const bed = await open();
    return {
      round: (random) => round(bed, random),
      async close() {
        await bed.git.remove();
        await bed.server.stop();
        bed.disk.remove();
        return [];
      },
    };
  },
};

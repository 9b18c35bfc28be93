/** The real client of Git LFS, for its tests. */
import { run, which } from "@forgeline/launcher/run.ts";

/** Installs it by apt-get where it is missing and we are root; elsewhere its tests are skipped and say why. */
export async function ensureGitLfs(say: (line: string) => void): Promise<void> {
  if ((await which("git-lfs")) || process.getuid?.() !== 0 || !(await which("apt-get"))) return;
  say("installing git-lfs with apt-get (once)");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "git-lfs"], { env });
  } catch (error) {
    say(`git-lfs could not be installed: ${(error as Error).message}`);
  }
}

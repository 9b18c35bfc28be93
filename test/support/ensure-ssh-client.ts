/** The OpenSSH client, for tests of Git over SSH. */
import { run, which } from "@forgeline/launcher/run.ts";

/** Installs it by apt-get where it is missing and we are root; elsewhere its tests are skipped and say why. */
export async function ensureSshClient(say: (line: string) => void): Promise<void> {
  if ((await which("ssh")) || process.getuid?.() !== 0 || !(await which("apt-get"))) return;
  say("installing openssh-client with apt-get (once)");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "openssh-client"], { env });
  } catch (error) {
    say(`openssh-client could not be installed: ${(error as Error).message}`);
  }
}

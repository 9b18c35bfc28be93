/** The browser for tests of pages. */
import { run, which } from "@forgeline/launcher/run.ts";

/** Installs it by apt-get where it is missing and we are root; elsewhere tests of pages are skipped and say why. */
export async function ensureChromium(say: (line: string) => void): Promise<void> {
  if ((await which("chromium")) || process.getuid?.() !== 0 || !(await which("apt-get"))) return;
  say("installing chromium with apt-get (once)");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
  } catch (error) {
    say(`chromium could not be installed: ${(error as Error).message}`);
  }
}

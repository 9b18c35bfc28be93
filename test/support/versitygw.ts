/**
 * The S3 server that object storage is tested against: built once with Go into the cache, since its release archives
 * are not to be had everywhere.
 */
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@forgeline/launcher/run.ts";
import { requiredGoVersion, versitygwGoPackage } from "@forgeline/launcher/versions.ts";
import { ensureGo } from "./go.ts";

const stagingPrefix = "versitygw-new-";
/** Longer than any build takes. */
const abandonedAfterMs = 60 * 60 * 1000;

/** The program's path. Throws with what to install when it is neither there nor can be built. */
export async function ensureVersitygw(cache: string, say: (line: string) => void): Promise<string> {
  await removeAbandoned(cache);
  const version = versitygwGoPackage.split("@")[1];
  const program = join(cache, `versitygw-${version}`);
  if (
    await stat(program).then(
      () => true,
      () => false,
    )
  )
    return program;
  const go = await ensureGo(cache, say).catch((error: Error) => {
    const how = `install Go ${requiredGoVersion} or newer (https://go.dev/dl), which builds it`;
    throw new Error(`versitygw is missing, for tests with S3: ${how}; ${error.message}`);
  });
  say(`building versitygw ${version} with Go (once, a minute)`);
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, stagingPrefix));
  try {
    await run(go, ["install", versitygwGoPackage], {
      env: { ...process.env, GOBIN: staging, CGO_ENABLED: "0" },
    });
    await rename(join(staging, "versitygw"), program);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return program;
}

/** What builds leave that somebody ended. Another one may be at work now. */
async function removeAbandoned(cache: string): Promise<void> {
  const names = await readdir(cache).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(stagingPrefix))) {
    const path = join(cache, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}

/**
 * What only this home has and a backup must not show: passwords of the database's roles, the administrator's token, keys of
 * certificates and of SSH. It goes into the backup sealed with a data key of the instance.
 */
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { HomePaths } from "../home.ts";
import type { BackupKey } from "./backup-key.ts";

export const sealedName = "home.sealed";

const files = ["secrets.json"];
const directories = ["tls", "data/ssh"];

const Sealed = z.array(z.strictObject({ path: z.string(), mode: z.number(), base64: z.string() }));

export async function sealHome(paths: HomePaths, key: BackupKey): Promise<Buffer> {
  const names = [...files];
  for (const directory of directories)
    for (const name of await readdir(join(paths.root, directory)).catch((): string[] => []))
      names.push(`${directory}/${name}`);
  const content: z.infer<typeof Sealed> = [];
  for (const path of names) {
    const file = join(paths.root, path);
    const info = await stat(file);
    if (info.isFile())
      content.push({ path, mode: info.mode & 0o777, base64: (await readFile(file)).toString("base64") });
  }
  return key.seal(Buffer.from(JSON.stringify(content)));
}

export async function unsealHome(paths: HomePaths, sealed: Buffer, key: BackupKey): Promise<void> {
  for (const { path, mode, base64 } of Sealed.parse(JSON.parse(key.open(sealed).toString("utf8")))) {
    const file = join(paths.root, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, Buffer.from(base64, "base64"), { mode });
  }
}

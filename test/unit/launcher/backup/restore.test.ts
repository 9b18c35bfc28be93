/** What is refused before anything of a home is touched: a list of files that is not the one that was signed. */
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listName } from "@forgeline/launcher/backup/entry.ts";
import { backupKey } from "@forgeline/launcher/backup/backup-key.ts";
import { signManifest } from "@forgeline/launcher/backup/manifest.ts";
import { createThrottle } from "@forgeline/launcher/backup/throttle.ts";
import { restoreBackup } from "@forgeline/launcher/backup/restore.ts";
import { openWriter } from "@forgeline/launcher/backup/writer.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-restore-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("a list that lost a line, or gained one, is no list of this backup", async () => {
  const keyFile = join(directory, "instance.key");
  await writeFile(keyFile, Buffer.alloc(32, 1).toString("base64"));
  const key = backupKey(Buffer.alloc(32, 1));
  const [backup, home] = [join(directory, "backup"), join(directory, "home")];
  await mkdir(home);
  const pace = createThrottle(0, new AbortController().signal);
  const writer = await openWriter({ place: backup, pace });
  for (const name of ["one", "two"])
    await writer.add([await writer.write(`objects/${name}`, Buffer.from(name), 0o600)]);
  const manifest = signManifest(
    {
      format: 1,
      id: "0123456789abcdef",
      started_at: "2026-11-21T10:00:00.000Z",
      database_at: "2026-11-21T10:00:01.000Z",
      finished_at: "2026-11-21T10:00:02.000Z",
      forgeline_version: "0.1.0",
      newest_migration: "",
      // No program of ours has it: with the list as it was, this is what is wrong.
      postgres_major: 1,
      platform: "none",
      repositories: 0,
      files: 2,
      bytes: 6,
      list_sha256: await writer.closeList(),
    },
    key,
  );
  await writer.finish(manifest);
  const refusal = () =>
    restoreBackup({ backup, home, wrapping: { file: keyFile }, signal: new AbortController().signal }).then(
      () => "",
      (error: Error) => error.message,
    );
  expect(await refusal()).toContain("PostgreSQL 1");
  const list = join(backup, listName);
  const [first = "", second = ""] = (await readFile(list, "utf8")).split("\n");
  for (const text of [`${first}\n`, `${second}\n${first}\n`]) {
    await writeFile(list, text);
    expect(await refusal()).toBe("the backup is damaged: files.jsonl was changed");
  }
  await writeFile(list, `${first}\n${second}\n`);
  await appendFile(list, `${second}\n`);
  expect(await refusal()).toBe("the backup is damaged: files.jsonl was changed");
  expect(await readdir(home)).toEqual([]);
});

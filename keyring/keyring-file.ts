/** The file of an instance's data keys, each encrypted by a wrapping key. */
import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { DataKey } from "./data-key.ts";
import type { WrappingKeys } from "./wrapping-keys.ts";

const Entry = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  created_at: z.iso.datetime(),
  current_from: z.iso.datetime(),
  marks_values: z.boolean(),
  rotation: z.string().nullable(),
  wrapped_by: z.string(),
  wrapped: z.base64(),
});
const KeyringFile = z.strictObject({ format: z.literal(1), keys: z.array(Entry).min(1) });
type KeyringFile = z.infer<typeof KeyringFile>;

export const keyringName = "keyring.json";

/** Newest first. Rejects with a sentence when it is damaged, or a key cannot be unwrapped. */
export async function parseKeyring(text: string, wrapping: WrappingKeys): Promise<DataKey[]> {
  const { keys } = parse(text);
  const opened = await Promise.all(
    keys.map(async (entry) => ({
      id: entry.id,
      bytes: await wrapping.unwrap(entry.id, {
        by: entry.wrapped_by,
        bytes: Buffer.from(entry.wrapped, "base64"),
      }),
      createdAt: new Date(entry.created_at),
      currentFrom: new Date(entry.current_from),
      marksValues: entry.marks_values,
      wrappedBy: entry.wrapped_by,
      rotation: entry.rotation,
    })),
  );
  return opened.toSorted((one, other) => other.currentFrom.getTime() - one.currentFrom.getTime());
}

/** The file's content, each key wrapped anew. */
export async function renderKeyring(keys: readonly DataKey[], wrapping: WrappingKeys): Promise<string> {
  const entries = await Promise.all(
    keys.map(async (key) => {
      const wrapped = await wrapping.wrap(key.id, key.bytes);
      return {
        id: key.id,
        created_at: key.createdAt.toISOString(),
        current_from: key.currentFrom.toISOString(),
        marks_values: key.marksValues,
        rotation: key.rotation,
        wrapped_by: wrapped.by,
        wrapped: wrapped.bytes.toString("base64"),
      };
    }),
  );
  return `${JSON.stringify({ format: 1, keys: entries } satisfies KeyringFile, null, 2)}\n`;
}

/** Undefined where there is none. */
export async function readKeyring(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Only where there is none yet. Of several processes one wins; returns what is there then. */
export async function createFile(file: string, text: string): Promise<string> {
  const draft = await writeDraft(file, text);
  // A link never replaces a file, and no reader sees half of it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(draft);
  await syncDirectory(file);
  return readFile(file, "utf8");
}

/** As a whole or not at all. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = await writeDraft(file, text);
  await rename(draft, file);
  await syncDirectory(file);
}

async function writeDraft(file: string, text: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  return draft;
}

async function syncDirectory(file: string): Promise<void> {
  const directory = await open(dirname(file), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function parse(text: string): KeyringFile {
  try {
    return KeyringFile.parse(JSON.parse(text));
  } catch (error) {
    throw new Error("the keyring is damaged: restore keyring.json of the newest backup", { cause: error });
  }
}

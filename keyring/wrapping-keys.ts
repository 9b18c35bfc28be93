/**
 * What encrypts data keys: keys of 32 bytes from the environment or a file, or a program that asks a key-management system.
 * The first one wraps, and each unwraps what it once wrapped.
 */
import { readFile } from "node:fs/promises";
import { deriveKey } from "./data-key.ts";
import { decryptBytes, encryptBytes } from "./encrypted-bytes.ts";
import { unwrapWithProgram, wrapWithProgram } from "./key-program.ts";

export interface WrappingSettings {
  /** Absolute path; it is asked first. */
  program?: string | undefined;
  /** Keys in base64, separated by commas. */
  environment?: string | undefined;
  /** One key in base64 on each line; it need not exist. */
  file: string;
}

export interface Wrapped {
  by: string;
  bytes: Buffer;
}

export interface WrappingKeys {
  /** What `wrap` notes as `by`. */
  current: string;
  /** Rejects with a sentence if the program fails; so does `unwrap`. */
  wrap(id: string, key: Buffer): Promise<Wrapped>;
  /** Rejects with a sentence if what wrapped it is not there. */
  unwrap(id: string, wrapped: Wrapped): Promise<Buffer>;
  /** Where the key of this `by` is; null if it is not there. */
  placeOf(by: string): WrappingPlace | null;
}
export type WrappingPlace = "program" | "environment" | "file";

const keyBytes = 32;
const byProgram = "program";

interface LocalKey {
  by: string;
  place: "environment" | "file";
  bytes: Buffer;
}

/** Undefined where nothing is set and there is no file. Rejects with a sentence for what is no key. */
export async function readWrappingKeys(settings: WrappingSettings): Promise<WrappingKeys | undefined> {
  const { program, environment, file } = settings;
  const local = [
    ...localKeys("environment", (environment ?? "").split(","), "FORGELINE_KEY"),
    ...localKeys("file", await readLines(file), file),
  ];
  const current = program === undefined ? local[0]?.by : byProgram;
  if (current === undefined) return undefined;
  const find = (by: string) => local.find((key) => key.by === by);
  return {
    current,
    async wrap(id, key) {
      if (program !== undefined) return { by: byProgram, bytes: await wrapWithProgram(program, key) };
      const bytes = encryptBytes(wrappingKey(find(current)), id, key);
      return { by: current, bytes };
    },
    async unwrap(id, wrapped) {
      if (wrapped.by !== byProgram) return decryptBytes(wrappingKey(find(wrapped.by)), id, wrapped.bytes);
      if (program === undefined)
        throw new Error(`key ${id} was encrypted by a program: set FORGELINE_KEY_PROGRAM`);
      return unwrapWithProgram(program, wrapped.bytes);
    },
    placeOf(by) {
      if (by === byProgram) return program === undefined ? null : "program";
      return find(by)?.place ?? null;
    },
  };
}

/** The bytes of the first key in the file, which was the instance's only key before there was a keyring. */
export async function readFirstKey(file: string): Promise<Buffer | undefined> {
  return localKeys("file", await readLines(file), file)[0]?.bytes;
}

function wrappingKey(key: LocalKey | undefined): Buffer {
  if (!key)
    throw new Error(
      "the key that encrypts this instance's data keys is not there: check FORGELINE_KEY_FILE and FORGELINE_KEY",
    );
  return deriveKey(key.bytes, "wrapping");
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await readFile(file, "utf8")).split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`the key file cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function localKeys(place: LocalKey["place"], texts: readonly string[], name: string): LocalKey[] {
  const given = texts.map((text) => text.trim()).filter((text) => text !== "");
  return given.map((text) => {
    const bytes = Buffer.from(text, "base64");
    if (bytes.length !== keyBytes) throw new Error(`${name} must hold keys of 32 bytes in base64`);
    return { by: `local:${deriveKey(bytes, "wrapping key id").toString("hex", 0, 8)}`, place, bytes };
  });
}

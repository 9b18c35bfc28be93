/** When jobs last used the images that were pulled for them, in a file, so that a restarted runner knows it too. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeWhole } from "../../write-whole.ts";

const Uses = z.record(z.string(), z.number());

export interface ImageUses {
  /** By id: milliseconds since 1970. */
  all(): ReadonlyMap<string, number>;
  note(id: string, nowMs: number): Promise<void>;
  /** Forgets all others. */
  keep(ids: ReadonlySet<string>): Promise<void>;
}

/** A file that cannot be read or understood counts as empty: the images are then left alone until a job uses them again. */
export async function openImageUses(path: string): Promise<ImageUses> {
  const text = await readFile(path, "utf8").catch(() => "{}");
  const uses = new Map(Object.entries(parsed(text)));
  let writing: Promise<void> = Promise.resolve();

  function save(): Promise<void> {
    writing = writing
      .catch(() => undefined)
      .then(() => writeWhole(path, JSON.stringify(Object.fromEntries(uses))));
    return writing;
  }

  return {
    all: () => uses,
    note(id, nowMs) {
      uses.set(id, nowMs);
      return save();
    },
    keep(ids) {
      for (const id of uses.keys()) if (!ids.has(id)) uses.delete(id);
      return save();
    },
  };
}

function parsed(text: string): z.infer<typeof Uses> {
  try {
    return Uses.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

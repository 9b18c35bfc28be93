/** Removes all objects below a prefix. */
import type { ObjectStore } from "./object-store.ts";

/** May run again after it broke off. */
export async function removeObjects(objects: ObjectStore, prefix: string): Promise<void> {
  for await (const { key } of objects.list(prefix)) await objects.delete(key);
}

/** The stores of the server, and the statements that they declare. */
import { globSync } from "node:fs";
import type { Statement } from "@forgeline/server/platform/db/statement.ts";

export const root = new URL("../../", import.meta.url);

export interface Store {
  /** From the checkout's root. */
  path: string;
  statements: Readonly<Record<string, Statement<object>>>;
}

function storePaths(): string[] {
  return globSync("server/**/*.store.ts", { cwd: root.pathname, exclude: ["**/node_modules"] }).toSorted();
}

/** Those that declare statements. */
export async function readStores(): Promise<Store[]> {
  const stores: Store[] = [];
  for (const path of storePaths()) {
    const store = (await import(new URL(path, root).href)) as Partial<Store>;
    if (store.statements) stores.push({ path, statements: store.statements });
  }
  return stores;
}

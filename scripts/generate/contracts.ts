/** Every route contract there is: what the `routes.ts` of all folders of `schemas/` export. */
import { access, readdir } from "node:fs/promises";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";

const schemas = new URL("../../schemas/", import.meta.url);

export async function allContracts(): Promise<RouteContract[]> {
  const found: RouteContract[] = [];
  for (const entry of await readdir(schemas, { withFileTypes: true })) {
    const module = new URL(`${entry.name}/routes.ts`, schemas);
    if (!entry.isDirectory() || !(await exists(module))) continue;
    const exported = (await import(module.href)) as Record<string, unknown>;
    found.push(...Object.values(exported).filter(isContract));
  }
  return found;
}

function isContract(value: unknown): value is RouteContract {
  return (
    typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value
  );
}

async function exists(url: URL): Promise<boolean> {
  return access(url).then(
    () => true,
    () => false,
  );
}

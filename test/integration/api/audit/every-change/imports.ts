/** Imports from other hosts. Nothing is read: that takes a worker. */
import type { Driver } from "./driver.ts";
import type { Cast } from "./organization.ts";

export async function changeImports({ change }: Driver, { ada }: Cast): Promise<void> {
  const body = { source: "github", repository: "octocat/brought", users: { octocat: "ada" } };
  const { id } = (await change("createImport", { by: ada, body })).json as { id: string };
  await change("cancelImport", { by: ada, path: { id } });
  await change("retryImport", { by: ada, path: { id }, body: {} });
}

/** Imports from other hosts. Nothing is read: that takes a worker. */
import { archiveOf } from "../../../../support/imports/export-archive.ts";
import type { Driver } from "./driver.ts";
import type { Cast } from "./organization.ts";

export async function changeImports({ change, server }: Driver, { ada, ben }: Cast): Promise<void> {
  const api = (token: string, method: string, path: string, body?: object) =>
    server.api(method, path, { token, ...(body ? { body } : {}) });
  const body = { source: "github", repository: "octocat/brought", users: { octocat: "ada" } };
  const { id } = (await change("createImport", { by: ada, body })).json as { id: string };
  // While it runs, people can be named before anything of theirs is there.
  const ask = async (login: string) => {
    await change("nameImportPerson", { by: ada, path: { id }, body: { login, username: "ben" } });
    const [request] = (await api(ben, "GET", "/user/import-requests")).json as { id: string }[];
    return { by: ben, path: { id: request?.id ?? "" } };
  };
  await api(ada, "PUT", "/repos/ada/brought/collaborators/ben", { permission: "read" });
  await change("declineImportRequest", await ask("hubot"));
  await change("acceptImportRequest", await ask("hubot"));
  await change("nameImportPerson", { by: ada, path: { id }, body: { login: "monalisa", username: "ada" } });
  await changeArchives({ change, server }, ada);
  await change("cancelImport", { by: ada, path: { id } });
  await change("retryImport", { by: ada, path: { id }, body: {} });
}

async function changeArchives(
  { change, server }: Pick<Driver, "change" | "server">,
  ada: string,
): Promise<void> {
  const bytes = await archiveOf({ "a.txt": "a" });
  const upload = (method: string, path: string) =>
    server.api(method, `${path}?name=a.tar.gz`, { token: ada, body: bytes });
  const { id } = (await change("createImportArchive", { send: upload })).json as { id: string };
  await change("deleteImportArchive", { by: ada, path: { id } });
}

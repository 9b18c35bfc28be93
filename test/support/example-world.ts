/** What the examples of the OpenAPI document name, on a server of its own: *ada*, her repository, organization, team and bot. */
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { startApiServer, type ApiServer, type TestPerson } from "./api-server.ts";
import { signUp } from "./browser.ts";

export interface ExampleWorld {
  server: ApiServer;
  /** Administers the instance, has a password, and a token of every scope. */
  ada: TestPerson;
  stop(): Promise<void>;
}

export async function startExampleWorld(): Promise<ExampleWorld> {
  const server = await startApiServer();
  const ada = await administrator(server, "ada");
  await server.person("grace");
  const make = async (method: string, path: string, body: unknown) => {
    const { status, text } = await server.api(method, path, { token: ada.token, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  await make("POST", "/repos", { name: "engine" });
  const content = Buffer.from("image: alpine\nsteps:\n  - echo hello\n").toString("base64");
  await make("PUT", "/repos/ada/engine/contents/.forgeline.yml", { message: "Begin", content });
  await make("PUT", "/repos/ada/engine/environments/production", {});
  await make("POST", "/orgs", { name: "analytical" });
  await make("POST", "/orgs/analytical/teams", { name: "engineers" });
  await make("POST", "/orgs/analytical/bots", { name: "deployer", scopes: ["repo:read"] });
  return { server, ada, stop: () => server.stop() };
}

async function administrator(server: ApiServer, username: string): Promise<TestPerson> {
  await signUp(server, username, "correct horse battery staple");
  const row = await server.container.platform.db.one<{ id: string }>(
    "update users set is_admin = true where username = $1 returning id",
    [username],
  );
  const person = { id: row?.id ?? "", username, token: "" };
  return { ...person, token: await server.tokenFor(person, scopes) };
}

/** What a fuzzed server holds: an administrator, an organization with a team and a bot, repositories with files. */
import type { ApiServer } from "../../test/support/api-server.ts";

export interface FuzzSeeds {
  /** Of an administrator, with every scope. */
  token: string;
  owner: string;
  repo: string;
  /** One for each kind of operation that ends a repository, so that `repo` stays. */
  spare: Record<SpareRepository, string>;
  org: string;
  /** An organization that may be deleted. */
  spareOrg: string;
  team: string;
  bot: string;
  username: string;
  /** Id of a token of the administrator that may be revoked. */
  spareToken: string;
  sha: string;
}

export type SpareRepository = "deleted" | "changed" | "archived" | "given";

/**
 * Repositories are public, so that who asks without a token is told 401 and not, as for a private one, 404. Throws with
 * the server's answer when it refuses something.
 */
export async function seedForFuzzing(server: ApiServer): Promise<FuzzSeeds> {
  const admin = await server.person("fuzz", { isAdmin: true });
  const other = await server.person("other");
  const make = async (method: string, path: string, body: unknown) => {
    const answer = await server.api(method, path, { token: admin.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const spare = { deleted: "deleted", changed: "changed", archived: "archived", given: "given" };
  for (const name of ["code", ...Object.values(spare)])
    await make("POST", "/repos", { name, auto_init: true, visibility: "public" });
  const put = { message: "Add a file", content: Buffer.from("hello\n").toString("base64") };
  const { commit } = await make("PUT", "/repos/fuzz/code/contents/docs/hello.txt", put);
  await make("POST", "/repos/fuzz/code/branches", { name: "feature/x" });
  await make("POST", "/repos/fuzz/code/tags", { name: "v1.0", message: "One" });
  for (const name of ["guild", "spare-guild"]) await make("POST", "/orgs", { name });
  const spareToken = await make("POST", "/user/tokens", { name: "spare", scopes: ["user:read"] });
  await make("POST", "/orgs/guild/teams", { name: "smiths" });
  await make("POST", "/orgs/guild/bots", { name: "hammer", scopes: ["repo:read"] });
  return {
    token: admin.token,
    owner: "fuzz",
    repo: "code",
    spare,
    org: "guild",
    spareOrg: "spare-guild",
    team: "smiths",
    bot: "hammer",
    username: other.username,
    spareToken: spareToken.id,
    sha: commit.sha,
  };
}

/**
 * Repositories to ask about, one of each kind, and the teams of the organization: made once, through the API where it
 * has one. Olga owns the organization `acme`, paul his own repositories.
 */
import type { ApiAnswer, ApiServer, TestPerson } from "../../support/api-server.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { Place, Target } from "./expected.ts";
import { levels } from "./rows.ts";
import { plainEvent } from "../../support/plain-event.ts";

const visibilities = ["private", "internal", "public"] as const;

function place(visibility: Place["visibility"], facts: Partial<Place> = {}): Place {
  const { ownedBy = "organization", archived = false, deleted = false, runsAreOpen = true } = facts;
  const words = [
    ...(ownedBy === "person" ? ["personal"] : []),
    visibility,
    ...(archived ? ["archived"] : []),
    ...(deleted ? ["deleted"] : []),
    ...(runsAreOpen ? [] : ["closed"]),
  ];
  const owner = ownedBy === "organization" ? "acme" : "paul";
  return {
    name: words.join(" "),
    owner,
    repo: words.join("-"),
    ownedBy,
    visibility,
    archived,
    deleted,
    runsAreOpen,
  };
}

export const places: readonly Place[] = [
  ...visibilities.flatMap((visibility) => [place(visibility), place(visibility, { archived: true })]),
  place("public", { runsAreOpen: false }),
  place("private", { deleted: true }),
  place("public", { deleted: true }),
  ...(["private", "public"] as const).flatMap((visibility) => [
    place(visibility, { ownedBy: "person" }),
    place(visibility, { ownedBy: "person", archived: true }),
  ]),
];

/** Where `/orgs` is asked about. The repository that requests name is of no account there. */
export const teamTargets: readonly Target[] = (["open", "hidden", "hidden/nested"] as const).map((team) => ({
  place: placeNamed("private"),
  team,
}));

export function placeNamed(name: string): Place {
  const found = places.find((each) => each.name === name);
  if (!found) throw new Error(`there is no place ${name}`);
  return found;
}

export function ensure(answer: ApiAnswer): ApiAnswer {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

/** Gives ids by place. `collab-LEVEL` have that level on every repository of the organization. */
export async function layOut(
  server: ApiServer,
  { olga, paul }: { olga: TestPerson; paul: TestPerson },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const each of places) {
    const token = each.ownedBy === "organization" ? olga.token : paul.token;
    const id = await layOutOne(server, token, each);
    ids.set(each.name, id);
    await insertRun(server, { repositoryId: id, userId: olga.id, number: 1, status: "success" });
  }
  return ids;
}

async function layOutOne(server: ApiServer, token: string, each: Place): Promise<string> {
  const { owner, repo: name, visibility, runsAreOpen } = each;
  const path = `/repos/${owner}/${name}`;
  const send = async (method: string, at: string, body?: object) =>
    ensure(await server.api(method, at, body === undefined ? { token } : { token, body }));
  const where = each.ownedBy === "organization" ? { owner } : {};
  const made = await send("POST", "/repos", { ...where, name, visibility, readme: true });
  await send("POST", `${path}/tags`, { name: "v1", ref: "main" });
  await send("POST", `${path}/issues`, { title: "One" });
  if (!runsAreOpen) await send("PATCH", path, { public_pipelines: false });
  if (each.ownedBy === "organization") {
    for (const level of levels)
      await send("PUT", `${path}/collaborators/collab-${level}`, { permission: level });
    await send("PUT", `/orgs/acme/teams/writers/repos/${name}`, { permission: "write" });
    await send("PUT", `/orgs/acme/teams/writers/admins/repos/${name}`, { permission: "admin" });
  }
  if (each.archived) await send("POST", `${path}/archive`);
  if (each.deleted) await send("DELETE", path);
  return made.json.id as string;
}

const event = plainEvent("a".repeat(40));

/** Gives its id. */
export async function insertRun(
  { container }: ApiServer,
  run: { repositoryId: string; userId: string; number: number; status: "success" },
): Promise<string> {
  const id = newId("pipe");
  await container.platform.db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by, status)
     values ($1, $2, $3, '.forgeline.yml', 'api', $4, $5, $6, $7, $8)`,
    [id, run.repositoryId, run.number, event.ref, event.sha, event, run.userId, run.status],
  );
  return id;
}

/** Which users and teams the owners of a CODEOWNERS file are. */
import type { CodeOwner } from "@forgeline/compiler/code-owners/file.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { UserService } from "../../accounts/domain.ts";
import { findTeams, findUsers, type TeamRow, type UserRow, type Viewer } from "./owners.store.ts";

export interface KnownOwnersDeps {
  db: Queryable;
  users: Pick<UserService, "usernamesByEmail">;
}

/** Somebody with write access to the repository. */
export type KnownOwner =
  | { type: "user"; userId: string; username: string }
  /** `visible`: whether the viewer may know of it. */
  | { type: "team"; teamId: string; team: string; visible: boolean };

/** undefined for owners that do not exist or may not write. */
export type KnownOwners = (owner: CodeOwner) => KnownOwner | undefined;

export async function findKnownOwners(
  { db, users }: KnownOwnersDeps,
  wanted: { repositoryId: string; owners: Iterable<CodeOwner>; viewer: Viewer },
): Promise<KnownOwners> {
  const { repositoryId, viewer } = wanted;
  const owners = [...wanted.owners];
  const namesOf = (type: CodeOwner["type"]) => [
    ...new Set(owners.filter((owner) => owner.type === type).map(({ name }) => name)),
  ];
  const teamNames = namesOf("team");
  const emails = namesOf("email");
  const byEmail = emails.length === 0 ? new Map<string, string>() : await users.usernamesByEmail(emails);
  const userNames = [...namesOf("user"), ...[...byEmail.values()].map((name) => name.toLowerCase())];
  const foundUsers = userNames.length === 0 ? [] : await findUsers(db, { repositoryId, names: userNames });
  const foundTeams =
    teamNames.length === 0 ? [] : await findTeams(db, { repositoryId, names: teamNames, viewer });
  const userOf = new Map(foundUsers.map((row) => [row.name, asUser(row)]));
  const teamOf = new Map(foundTeams.filter((row) => row.can_write).map((row) => [row.name, asTeam(row)]));
  return ({ type, name }) => {
    if (type === "team") return teamOf.get(name);
    return userOf.get(type === "user" ? name : (byEmail.get(name)?.toLowerCase() ?? ""));
  };
}

function asUser({ id, username }: UserRow): KnownOwner {
  return { type: "user", userId: id, username };
}

function asTeam({ id, full_name: team, visible }: TeamRow): KnownOwner {
  return { type: "team", teamId: id, team, visible };
}

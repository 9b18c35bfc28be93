/** Teams as the REST interface shows and takes them (`spec.md` 2.3, `decisions.md` "Records"). */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf, nameRule } from "../core/ids.ts";
import { RepositoryLevel } from "../core/repository-levels.ts";
import { timestamp } from "../core/time.ts";
import { Repository } from "../repositories/resource.ts";
import { User } from "../users/resource.ts";

export const TeamVisibility = z.enum(["visible", "secret"]).meta({ id: "TeamVisibility" });
export const TeamRole = z.enum(["member", "maintainer"]).meta({ id: "TeamRole" });
export type TeamRole = z.infer<typeof TeamRole>;

/** Levels of nesting, the outermost one included. */
export const maxTeamDepth = 20;

const takenWords = new Set(["members", "repos", "discussions", "routing"]);
const teamName = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/, nameRule)
  .refine((name) => !takenWords.has(name.toLowerCase()), {
    error: "`members`, `repos`, `discussions` and `routing` are not allowed as team names.",
  });
const parentPath = z.string().min(1).max(2020);

export const Team = z
  .object({
    id: idOf("team"),
    name: z.string(),
    full_name: z.string().describe("`<org>/<parent>/<child>`."),
    description: z.string(),
    visibility: TeamVisibility.describe("A team nested in a secret team is secret as well."),
    parent: z
      .string()
      .nullable()
      .describe("The value of `{team}` for the parent, for example `parent/child`."),
    url: z.string().describe("Address of this record in the API."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Team" });
export type Team = z.infer<typeof Team>;

export const TeamCreate = z
  .strictObject({
    name: teamName.describe("Case-insensitive."),
    description: displayText(1000).default(""),
    visibility: TeamVisibility.default("visible"),
    parent: parentPath.nullable().default(null).describe("`parent/child`; default: none."),
  })
  .meta({
    id: "TeamCreate",
    examples: [{ name: "compilers", description: "Who makes the compiler", visibility: "visible" }],
  });
export type TeamCreate = z.infer<typeof TeamCreate>;

export const TeamUpdate = z
  .strictObject({
    name: teamName.optional(),
    description: displayText(1000).optional(),
    visibility: TeamVisibility.optional(),
    parent: parentPath.nullable().optional().describe("Moves the team together with its nested teams."),
  })
  .meta({ id: "TeamUpdate", examples: [{ description: "Who makes the engine" }] });
export type TeamUpdate = z.infer<typeof TeamUpdate>;

export const TeamMember = z
  .object({
    user: User,
    role: TeamRole,
    inherited_from: z
      .string()
      .nullable()
      .describe("`full_name` of the nested team by which the user is in this one; null for direct members."),
    created_at: timestamp.describe("Since when."),
  })
  .meta({ id: "TeamMember" });
export type TeamMember = z.infer<typeof TeamMember>;

export const TeamMemberSet = z
  .strictObject({ role: TeamRole.default("member") })
  .meta({ id: "TeamMemberSet", examples: [{ role: "maintainer" }] });

export const TeamRepository = z
  .object({ team: Team, repository: Repository, permission: RepositoryLevel })
  .meta({ id: "TeamRepository" });
export type TeamRepository = z.infer<typeof TeamRepository>;

export const ListedTeamRepository = z
  .object({
    ...TeamRepository.shape,
    inherited_from: z
      .string()
      .nullable()
      .describe("`full_name` of the parent team that has the grant; null for the team's own grant."),
  })
  .meta({ id: "ListedTeamRepository" });
export type ListedTeamRepository = z.infer<typeof ListedTeamRepository>;

export const TeamRepositoryGrant = z
  .strictObject({ permission: RepositoryLevel })
  .meta({ id: "TeamRepositoryGrant", examples: [{ permission: "write" }] });

/** What administrators of the instance do with accounts, organizations and announcements. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Organization } from "../organizations/resource.ts";
import {
  AdministeredUser,
  AdministeredUserUpdate,
  Announcement,
  AnnouncementCreate,
  PlanUpdate,
} from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;
const search = z.string().min(1).max(200).optional();

export const ListUsersQuery = z.strictObject({
  ...PageQuery.shape,
  q: search.describe("Text in the user name, the display name or the e-mail address, whatever its case."),
});
export type ListUsersQuery = z.output<typeof ListUsersQuery>;

export const listUsers = route({
  ...administration,
  id: "listUsers",
  method: "get",
  path: "/admin/users",
  summary: "All accounts, bots included, by name",
  query: ListUsersQuery,
  status: 200,
  response: z.array(AdministeredUser),
  paginated: true,
  errors: [],
});

const UserParams = z.strictObject({ username: z.string().max(201) });

export const getAdministeredUser = route({
  ...administration,
  id: "getAdministeredUser",
  method: "get",
  path: "/admin/users/:username",
  summary: "One account",
  params: UserParams,
  status: 200,
  response: AdministeredUser,
  errors: [],
});

export const updateAdministeredUser = route({
  ...administration,
  id: "updateAdministeredUser",
  method: "patch",
  path: "/admin/users/:username",
  summary: "Suspend an account, make it an administrator, set its plan",
  description:
    "Takes effect at once. Who suspends the last owner of an organization becomes an owner of it. Nobody can suspend themselves, a bot is no administrator, and the last administrator stays one: 409.",
  params: UserParams,
  body: AdministeredUserUpdate,
  status: 200,
  response: AdministeredUser,
  errors: ["conflict"],
});

export const ListOrganizationsQuery = z.strictObject({
  ...PageQuery.shape,
  q: search.describe("Text in the name or the display name, whatever its case."),
});
export type ListOrganizationsQuery = z.output<typeof ListOrganizationsQuery>;

export const listOrganizations = route({
  ...administration,
  id: "listOrganizations",
  method: "get",
  path: "/admin/organizations",
  summary: "All organizations, by name",
  query: ListOrganizationsQuery,
  status: 200,
  response: z.array(Organization),
  paginated: true,
  errors: [],
});

export const setOrganizationPlan = route({
  ...administration,
  id: "setOrganizationPlan",
  method: "put",
  path: "/admin/organizations/:org/plan",
  summary: "Set the plan of an organization",
  params: z.strictObject({ org: z.string() }),
  body: PlanUpdate,
  status: 200,
  response: Organization,
  errors: [],
});

const AnnouncementParams = z.strictObject({ id: idOf("ann") });

export const listAnnouncements = route({
  ...administration,
  id: "listAnnouncements",
  method: "get",
  path: "/admin/announcements",
  summary: "Announcements, past ones included, newest first",
  query: PageQuery,
  status: 200,
  response: z.array(Announcement),
  paginated: true,
  errors: [],
});

export const createAnnouncement = route({
  ...administration,
  id: "createAnnouncement",
  method: "post",
  path: "/admin/announcements",
  summary: "Tell everybody who uses the instance",
  description: "`GET /meta` shows it from its beginning to its end.",
  body: AnnouncementCreate,
  status: 201,
  response: Announcement,
  errors: [],
});

export const getAnnouncement = route({
  ...administration,
  id: "getAnnouncement",
  method: "get",
  path: "/admin/announcements/:id",
  summary: "One announcement",
  params: AnnouncementParams,
  status: 200,
  response: Announcement,
  errors: [],
});

export const deleteAnnouncement = route({
  ...administration,
  id: "deleteAnnouncement",
  method: "delete",
  path: "/admin/announcements/:id",
  summary: "Take an announcement back",
  params: AnnouncementParams,
  status: 204,
  errors: [],
});

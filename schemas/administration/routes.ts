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
  q: search.describe("Text in the user name, display name or e-mail address; case-insensitive."),
});
export type ListUsersQuery = z.output<typeof ListUsersQuery>;

export const listUsers = route({
  ...administration,
  id: "listUsers",
  method: "get",
  path: "/admin/users",
  summary: "All accounts, including bots, by name",
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
  summary: "Update an account: suspension, administrator role, plan",
  description:
    "Takes effect immediately. An administrator who suspends the last owner of an organization becomes its owner. Suspending yourself, making a bot an administrator, or removing the last administrator returns 409.",
  params: UserParams,
  body: AdministeredUserUpdate,
  status: 200,
  response: AdministeredUser,
  errors: ["conflict"],
});

export const ListOrganizationsQuery = z.strictObject({
  ...PageQuery.shape,
  q: search.describe("Text in the name or display name; case-insensitive."),
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
  summary: "Announcements, including past ones, newest first",
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
  summary: "Create an announcement for all users",
  description: "`GET /meta` shows it from its start time to its end time.",
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
  summary: "Delete an announcement",
  params: AnnouncementParams,
  status: 204,
  errors: [],
});

/** Operations about people. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Repository } from "../repositories/resource.ts";
import { OwnUser, PasswordChange, SignUp, User, UserUpdate } from "./resource.ts";

export const getUser = route({
  id: "getUser",
  method: "get",
  path: "/user",
  tag: "users",
  summary: "The authenticated user",
  access: "user",
  bots: "allowed",
  limitedTokens: "allowed",
  scope: "user:read",
  status: 200,
  response: OwnUser,
  errors: [],
});

export const updateUser = route({
  id: "updateUser",
  method: "patch",
  path: "/user",
  tag: "users",
  summary: "Change your profile",
  access: "user",
  scope: "user:write",
  body: UserUpdate,
  status: 200,
  response: OwnUser,
  errors: [],
});

export const changePassword = route({
  id: "changePassword",
  method: "put",
  path: "/user/password",
  tag: "users",
  summary: "Change your password",
  description: "Ends all sessions of the user, including this one. Access tokens stay valid.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: PasswordChange,
  rateCategory: "auth",
  status: 204,
  errors: [],
});

export const signUp = route({
  id: "signUp",
  method: "post",
  path: "/users",
  tag: "users",
  summary: "Create an account",
  description:
    "Only where sign-up is open: by default on an instance that is reached as `localhost`, from the machine itself. The answer is the same whether or not the address belongs to somebody.",
  access: "public",
  body: SignUp,
  rateCategory: "auth",
  status: 201,
  response: User,
  errors: ["forbidden", "conflict"],
});

export const getUserByName = route({
  id: "getUserByName",
  method: "get",
  path: "/users/:username",
  tag: "users",
  summary: "A user's public profile",
  access: "public",
  params: z.strictObject({ username: z.string().max(201) }),
  status: 200,
  response: User,
  errors: [],
});

export const listRepositoriesOfUser = route({
  id: "listRepositoriesOfUser",
  method: "get",
  path: "/users/:username/repos",
  tag: "repositories",
  summary: "Repositories owned by a user that the caller can see, by name",
  description: "A token without `repo:read` only returns public ones.",
  access: "public",
  params: z.strictObject({ username: z.string().max(201) }),
  query: PageQuery,
  status: 200,
  response: z.array(Repository),
  paginated: true,
  errors: [],
});

const SuspensionParams = z.strictObject({ username: z.string().max(201) });

export const suspendUser = route({
  id: "suspendUser",
  method: "put",
  path: "/admin/users/:username/suspension",
  tag: "administration",
  summary: "Suspend a user",
  description:
    "Every session ends and every credential of the user is refused at once. Nothing is deleted. Where the user was the last owner of an organization who could act, the caller becomes an owner of it. You cannot suspend your own account.",
  access: "instance_admin",
  scope: "org:admin",
  params: SuspensionParams,
  status: 204,
  errors: ["conflict"],
});

export const unsuspendUser = route({
  id: "unsuspendUser",
  method: "delete",
  path: "/admin/users/:username/suspension",
  tag: "administration",
  summary: "End the suspension of a user",
  access: "instance_admin",
  scope: "org:admin",
  params: SuspensionParams,
  status: 204,
  errors: [],
});

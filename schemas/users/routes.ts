/** Operations about the authenticated user. */
import { route } from "../core/route.ts";
import { OwnUser } from "./resource.ts";

export const getUser = route({
  id: "getUser",
  method: "get",
  path: "/user",
  tag: "users",
  summary: "The authenticated user",
  access: "user",
  scope: "user:read",
  status: 200,
  response: OwnUser,
  errors: [],
});

/** Whom a name belongs to, for clients that have only the name. */
import { z } from "zod";
import { route } from "../core/route.ts";
import { Owner } from "./resource.ts";

export const getOwner = route({
  id: "getOwner",
  method: "get",
  path: "/owners/:owner",
  tag: "users",
  summary: "The user or organization with a name",
  description:
    "Visible to everyone; the response has the same fields as `GET /users/NAME` or `GET /orgs/NAME` has.",
  access: "public",
  params: z.strictObject({ owner: z.string().max(201) }),
  status: 200,
  response: Owner,
  errors: [],
});

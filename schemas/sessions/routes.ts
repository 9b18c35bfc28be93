/** Signing in and out, and the list of where one is signed in. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Session, SignIn } from "./resource.ts";

const SessionParams = z.strictObject({ id: z.union([idOf("ses"), z.literal("current")]) });

export const createSession = route({
  id: "createSession",
  method: "post",
  path: "/user/sessions",
  tag: "sessions",
  summary: "Sign in",
  description:
    "Sets the session's cookie. Requests that change something need `X-CSRF-Token` besides, and come from a page of this instance. Where a second factor is on, the answer without `otp` is 401 with `two_factor_required`. After several failures further attempts have to wait.",
  access: "public",
  body: SignIn,
  rateCategory: "auth",
  status: 201,
  response: Session,
  showsSecret: true,
  errors: ["forbidden"],
});

export const listSessions = route({
  id: "listSessions",
  method: "get",
  path: "/user/sessions",
  tag: "sessions",
  summary: "Your sessions, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(Session),
  paginated: true,
  errors: [],
});

export const getSession = route({
  id: "getSession",
  method: "get",
  path: "/user/sessions/:id",
  tag: "sessions",
  summary: "One of your sessions",
  description: "`current` is the session of this request.",
  access: "user",
  scope: "user:read",
  params: SessionParams,
  status: 200,
  response: Session,
  errors: [],
});

export const endSession = route({
  id: "endSession",
  method: "delete",
  path: "/user/sessions/:id",
  tag: "sessions",
  summary: "End a session",
  description: "`current` is the session of this request; ending it signs you out. Takes effect immediately.",
  access: "user",
  scope: "user:write",
  params: SessionParams,
  status: 204,
  errors: [],
});

export const endOtherSessions = route({
  id: "endOtherSessions",
  method: "delete",
  path: "/user/sessions",
  tag: "sessions",
  summary: "End all your sessions except the current one",
  access: "user",
  scope: "user:write",
  status: 204,
  errors: [],
});

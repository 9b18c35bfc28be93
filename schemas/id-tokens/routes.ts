/** Operations of administrators on the keys that sign identity tokens of jobs. */
import { route } from "../core/route.ts";
import { IdTokenKeyRotation, IdTokenKeys } from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const getIdTokenKeys = route({
  ...administration,
  id: "getIdTokenKeys",
  method: "get",
  path: "/admin/id-token-keys",
  summary: "Keys that sign identity tokens of jobs",
  description: "Empty until the first token is made or the published keys are read.",
  status: 200,
  response: IdTokenKeys,
  errors: [],
});

export const rotateIdTokenKeys = route({
  ...administration,
  id: "rotateIdTokenKeys",
  method: "post",
  path: "/admin/id-token-keys/rotate",
  summary: "Replace the key that signs identity tokens of jobs",
  description:
    "Creates a new key, which signs from now on. Earlier ones stay published for a day, longer than any token lives, unless `withdraw_earlier` is set.",
  body: IdTokenKeyRotation,
  status: 200,
  response: IdTokenKeys,
  errors: [],
});

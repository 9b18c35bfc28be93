/** Operations about own OpenPGP keys. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { GpgKey, GpgKeyCreate, maxGpgKeys } from "./resource.ts";

const common = { tag: "gpg-keys", access: "user" } as const;
const KeyParams = z.strictObject({ id: idOf("gpg") });

export const listGpgKeys = route({
  ...common,
  id: "listGpgKeys",
  method: "get",
  path: "/user/gpg-keys",
  summary: "Your OpenPGP keys, newest first",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(GpgKey),
  paginated: true,
  errors: [],
});

export const getGpgKey = route({
  ...common,
  id: "getGpgKey",
  method: "get",
  path: "/user/gpg-keys/:id",
  summary: "One of your OpenPGP keys",
  scope: "user:read",
  params: KeyParams,
  status: 200,
  response: GpgKey,
  errors: [],
});

export const createGpgKey = route({
  ...common,
  id: "createGpgKey",
  method: "post",
  path: "/user/gpg-keys",
  summary: "Add an OpenPGP key",
  description: `It verifies signatures of commits whose committer has one of your verified addresses, older ones too. A key cannot be changed: after you have extended or revoked it, remove it and add it again. At most ${maxGpgKeys}.`,
  scope: "user:write",
  everyScope: true,
  body: GpgKeyCreate,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: GpgKey,
  errors: ["conflict"],
});

export const deleteGpgKey = route({
  ...common,
  id: "deleteGpgKey",
  method: "delete",
  path: "/user/gpg-keys/:id",
  summary: "Remove an OpenPGP key",
  description: "Commits that it has signed are not verified any more.",
  scope: "user:write",
  everyScope: true,
  params: KeyParams,
  status: 204,
  errors: [],
});

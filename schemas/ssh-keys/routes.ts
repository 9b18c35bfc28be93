/** Operations about own SSH keys. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { SshKey, SshKeyCreate } from "./resource.ts";

const KeyParams = z.strictObject({ id: idOf("key") });

export const listSshKeys = route({
  id: "listSshKeys",
  method: "get",
  path: "/user/keys",
  tag: "ssh-keys",
  summary: "Your SSH keys, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(SshKey),
  paginated: true,
  errors: [],
});

export const getSshKey = route({
  id: "getSshKey",
  method: "get",
  path: "/user/keys/:id",
  tag: "ssh-keys",
  summary: "One of your SSH keys",
  access: "user",
  scope: "user:read",
  params: KeyParams,
  status: 200,
  response: SshKey,
  errors: [],
});

export const createSshKey = route({
  id: "createSshKey",
  method: "post",
  path: "/user/keys",
  tag: "ssh-keys",
  summary: "Add an SSH key",
  description:
    "A key belongs to only one user or repository on the instance, because it identifies the actor.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: SshKeyCreate,
  status: 201,
  response: SshKey,
  errors: ["conflict"],
});

export const deleteSshKey = route({
  id: "deleteSshKey",
  method: "delete",
  path: "/user/keys/:id",
  tag: "ssh-keys",
  summary: "Remove an SSH key",
  access: "user",
  scope: "user:write",
  everyScope: true,
  params: KeyParams,
  status: 204,
  errors: [],
});

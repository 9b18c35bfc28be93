/** Operations of administrators on the instance's encryption keys. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { InstanceKeys, KeyRotation } from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const getInstanceKeys = route({
  ...administration,
  id: "getInstanceKeys",
  method: "get",
  path: "/admin/keys",
  summary: "The instance's encryption keys, and what refers to them",
  description:
    "Counts what is encrypted with each key, so it takes longer than other reads on a large instance.",
  status: 200,
  response: InstanceKeys,
  errors: [],
});

export const listKeyRotations = route({
  ...administration,
  id: "listKeyRotations",
  method: "get",
  path: "/admin/key-rotations",
  summary: "Replacements of the encryption key, newest first",
  query: PageQuery,
  status: 200,
  response: z.array(KeyRotation),
  paginated: true,
  errors: [],
});

export const rotateKey = route({
  ...administration,
  id: "rotateKey",
  method: "post",
  path: "/admin/key-rotations",
  summary: "Replace the encryption key",
  description:
    "Creates a new key and encrypts everything that the instance keeps encrypted again, in the background, while the instance serves. Also encrypts all keys with the first wrapping key that is set. The old key stays until nothing refers to it, and for at least a day. 409 while another replacement is running.",
  status: 202,
  response: KeyRotation,
  errors: ["conflict"],
});

export const getKeyRotation = route({
  ...administration,
  id: "getKeyRotation",
  method: "get",
  path: "/admin/key-rotations/:id",
  summary: "One replacement of the encryption key",
  params: z.strictObject({ id: idOf("rot") }),
  status: 200,
  response: KeyRotation,
  errors: [],
});

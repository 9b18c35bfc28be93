/** Operations on how much Git LFS storage single owners have. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { LfsQuota, LfsQuotaUpdate } from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;
const ofOwner = {
  path: "/admin/storage/owners/:owner/lfs-quota",
  params: z.strictObject({ owner: ownerName }),
} as const;

export const getLfsQuota = route({
  ...administration,
  ...ofOwner,
  id: "getLfsQuota",
  method: "get",
  summary: "Git LFS storage limit and usage of a user or an organization",
  status: 200,
  response: LfsQuota,
  errors: [],
});

export const setLfsQuota = route({
  ...administration,
  ...ofOwner,
  id: "setLfsQuota",
  method: "put",
  summary: "Set the Git LFS storage of one enterprise owner",
  description:
    "Counts from the next upload on; a limit below what is used removes nothing. Only owners with the plan `enterprise` have a limit of their own: for others it is `conflict`, and with another plan it rests until they have `enterprise` again.",
  body: LfsQuotaUpdate,
  status: 200,
  response: LfsQuota,
  errors: ["conflict"],
});

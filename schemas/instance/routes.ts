/** Operations about the instance itself. */
import { z } from "zod";
import { route } from "../core/route.ts";

export const InstanceMeta = z
  .object({
    name: z.literal("forgeline"),
    version: z.string(),
    api_version: z.literal("v1"),
    base_url: z.string(),
    graphql_url: z.string(),
    auth_url: z.string(),
    docs_url: z.string(),
    web_url: z.string(),
    git_https_url: z.string(),
    runner_url: z.string(),
    runner_protocol: z.number().int().describe("Version of the runner protocol that this server speaks."),
  })
  .meta({ id: "InstanceMeta" });
export type InstanceMeta = z.infer<typeof InstanceMeta>;

export const getMeta = route({
  id: "getMeta",
  method: "get",
  path: "/meta",
  tag: "instance",
  summary: "What this instance is and where its parts are",
  access: "public",
  status: 200,
  response: InstanceMeta,
  errors: [],
});

/** `network` of a job, as an author writes it: what its containers may reach. */
import { z } from "zod";

/** At most so many in one list. */
export const maxNetworkTargets = 50;

export const FileNetwork = z
  .union([
    z.enum(["none", "open"]),
    z.strictObject({
      allow: z
        .array(z.string().max(260, "at most 260 characters long"))
        .min(1, "a list of at least one host (write `network: none` for none)")
        .max(maxNetworkTargets)
        .describe(
          "Hosts, addresses and networks, each with or without a port: registry.npmjs.org, '*.example.com:443', 192.0.2.0/24.",
        ),
    }),
  ])
  .meta({
    id: "network",
    description:
      "What the job may reach besides its own services. none: nothing; allow: only this, through a proxy; open: whatever the runner permits (the default).",
  });
export type FileNetwork = z.infer<typeof FileNetwork>;

/** What the operator says of the networks that jobs may reach. */
import { z } from "zod";
import { parseAllowed } from "./allow-list.ts";

export const EgressMode = z.enum(["filter", "required", "open"]);
export type EgressMode = z.infer<typeof EgressMode>;

export interface EgressSettings {
  mode: EgressMode;
  /** As written: each is a network or an address, with or without a port. */
  allow: readonly string[];
  /** Where the runner reaches the server; null where there is none. */
  serverUrl: string | null;
  /** `host:address` entries of the jobs' containers. */
  extraHosts: readonly string[];
  /** Of one job, that the kernel keeps track of at most. */
  connections: number;
}

/** What tests of the engine alone run with. */
export const openEgress: EgressSettings = {
  mode: "open",
  allow: [],
  serverUrl: null,
  extraHosts: [],
  connections: 65_536,
};

export const allowSetting = z
  .array(z.string().max(100))
  .max(1_000)
  .superRefine((entries, context) => {
    for (const entry of entries)
      if (parseAllowed(entry) === null)
        context.addIssue({
          code: "custom",
          message: `${JSON.stringify(entry)} is no address or network such as 10.1.2.0/24, 10.9.8.7:5432 or [fd00::1]:443`,
        });
  });

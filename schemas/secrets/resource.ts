/** Secrets of pipelines: set and used, never shown. */
import { z } from "zod";
import { storableText } from "../core/storable-text.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { PipelineEventName } from "../pipeline-file/event.ts";

/** At most so many of one environment, repository, organization or instance. */
export const maxSecrets = 500;
export const maxSecretBytes = 64 * 1024;
/** What is shorter cannot be masked in logs without hiding half of them. */
export const minSecretChars = 6;

/** Variables that begin with `CI_` are the server's, and a secret is given in a variable of its name. */
export const SecretName = z
  .string()
  .regex(
    /^(?!CI_)[A-Za-z_][A-Za-z0-9_]{0,99}$/,
    "Up to 100 letters, digits and underscores, not beginning with a digit or CI_.",
  );

const patterns = z.array(z.string()).describe("Patterns; empty for no limit.");

export const Secret = z
  .object({
    id: idOf("sec"),
    name: z.string(),
    branches: patterns,
    tags: patterns,
    events: z.array(PipelineEventName).describe("Empty for no limit."),
    stages: patterns,
    images: patterns,
    environments: patterns,
    repositories: patterns.describe(
      "Patterns; empty for no limit, and always empty for secrets of a repository or environment.",
    ),
    updated_by: z.string().nullable().describe("User name; null if the user was deleted."),
    last_used_at: timestamp.nullable().describe("When a job was last given it; within a minute."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Secret" });
export type Secret = z.infer<typeof Secret>;

const pattern = storableText({ min: 1, max: 255 });
const given = z.array(pattern).max(50).default([]);

const anywhere = {
  value: z
    .string()
    .min(minSecretChars, `At least ${minSecretChars} characters.`)
    .refine((text) => Buffer.byteLength(text) <= maxSecretBytes, `At most ${maxSecretBytes} bytes.`)
    .refine(
      (text) => text.isWellFormed() && !text.includes("\0"),
      "Text without NUL. Encode other bytes, for example as base64.",
    )
    .describe(`${minSecretChars} characters to 64 KiB. Never shown again.`),
  branches: given.describe("Globs for branches whose runs may have it, for example `main`."),
  tags: given.describe(
    "Globs for tags whose runs may have it. With `branches` alone, runs of tags do not get it.",
  ),
  events: z.array(PipelineEventName).max(20).default([]).describe("Events whose runs may have it."),
  stages: given.describe("Globs for stages whose jobs may have it."),
  images: given.describe("Globs for images; every container that gets it must have one of them."),
  environments: given.describe(
    "Globs for environments; only jobs that deploy to one of them may have it, if somebody with Maintain made or confirmed it.",
  ),
};
const example = { value: "correct horse battery staple", branches: ["main"], events: ["push"] };

/** Of an environment or a repository. */
export const SecretPut = z
  .strictObject({
    ...anywhere,
    repositories: z
      .array(z.string())
      .max(0, "Only secrets of an organization or of the instance can be limited to repositories.")
      .default([])
      .describe("Empty: only secrets of an organization or of the instance can be limited to repositories."),
  })
  .meta({ id: "SecretPut", examples: [example] });
export type SecretPut = z.infer<typeof SecretPut>;

export const OrganizationSecretPut = z
  .strictObject({
    ...anywhere,
    repositories: z
      .array(pattern.regex(/^[^/]*$/, "Names without the organization, for example shop or web-*."))
      .max(50)
      .default([])
      .describe("Globs for names of repositories of the organization; only their jobs may have it."),
  })
  .meta({ id: "OrganizationSecretPut", examples: [{ ...example, repositories: ["shop", "web-*"] }] });

export const InstanceSecretPut = z
  .strictObject({
    ...anywhere,
    repositories: z
      .array(pattern.regex(/\//, "Owner and name, for example acme/shop or acme/*."))
      .max(50)
      .default([])
      .describe("Globs for OWNER/NAME of repositories; only their jobs may have it."),
  })
  .meta({ id: "InstanceSecretPut", examples: [{ ...example, repositories: ["acme/*"] }] });

export const SecretUse = z
  .object({
    repository: z.string().describe("Full name."),
    pipeline_id: idOf("pipe"),
    pipeline_number: z.number().int(),
    job_id: idOf("job"),
    job: z.string().describe("Display name of the job."),
    attempt: z.number().int(),
    used_at: timestamp.describe("When the job's runner was given the value."),
    web_url: z.string().describe("The run."),
  })
  .meta({ id: "SecretUse" });
export type SecretUse = z.infer<typeof SecretUse>;

/** Secrets that a pipeline file asks for, by name. Their values are never part of a file, an expression or a plan. */
import { z } from "zod";

/** As the name of a variable: a secret's own, and those of the variables that it is given in. */
export const secretNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
/** At most so many in one list. */
export const maxListedSecrets = 50;

const name = z
  .string()
  .regex(
    secretNamePattern,
    "the name of a secret: up to 100 letters, digits and _, not beginning with a digit",
  );
const variable = z
  .string()
  .regex(secretNamePattern, "a variable name: up to 100 letters, digits and _, not beginning with a digit");

export const FileSecret = z
  .strictObject({
    name: name.describe("The secret, as it is called in the settings."),
    env: variable
      .optional()
      .describe("Variable that holds the value. Default: the name, unless file is set."),
    file: variable.optional().describe("Variable that holds the path of a file with the value."),
    optional: z
      .boolean()
      .optional()
      .describe("Go on without it where there is none. Default false: the job ends with an error."),
  })
  .meta({ id: "secret" });

export type FileSecret = z.infer<typeof FileSecret>;

export const FileSecrets = z
  .union([z.array(z.union([name, FileSecret])).max(maxListedSecrets), z.record(variable, name)])
  .meta({
    id: "secrets",
    description: "Secrets: a list of names or mappings, or a mapping from variables to names.",
  });
export type FileSecrets = z.infer<typeof FileSecrets>;

/** What a registry is told before an image is pulled. */
export const FileImageAuth = z
  .union([
    name,
    z.strictObject({
      username: z
        .string()
        .min(1, "a user name")
        .max(255, "a user name")
        .describe("User name at the registry."),
      password: name.describe("Secret with the password or token."),
    }),
  ])
  .meta({
    id: "image_auth",
    description: "Credentials for the registry: a secret that holds user:password, or both by themselves.",
  });
export type FileImageAuth = z.infer<typeof FileImageAuth>;

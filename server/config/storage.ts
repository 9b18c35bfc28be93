/** The settings of where a server keeps its files and objects. */
import { z } from "zod";
import { keyringName } from "@forgeline/keyring/keyring-file.ts";
import { optionalText, secretOf } from "./setting-kinds.ts";

export const storageSettings = {
  FORGELINE_DATA_DIR: z
    .string()
    .min(1)
    .describe("Directory of the server's data, including the repositories."),
  FORGELINE_CACHE_DIR: optionalText(
    "Directory for data that can be rebuilt; several processes may share it; default `DATA_DIR/cache`.",
  ),
  FORGELINE_KEY_FILE: optionalText(
    "File with the key that encrypts this instance's data keys: 32 bytes in base64; on further lines, earlier keys. Created if it is needed and does not exist; default `DATA_DIR/instance.key`.",
  ),
  FORGELINE_KEY: optionalText(
    "The same key, instead of a file; earlier keys follow, separated by commas. Secret.",
  ),
  FORGELINE_KEY_PROGRAM: z
    .string()
    .startsWith("/", "must be an absolute path")
    .optional()
    .describe(
      "Program that encrypts and decrypts data keys, for a key-management system; takes the place of both.",
    ),
  FORGELINE_OBJECT_STORE: z
    .string()
    .regex(/^(file:\/\/\/|s3:\/\/)/, "must be file:///PATH or s3://BUCKET[/PREFIX]")
    .optional()
    .describe(
      "Where finished logs and Git LFS objects are stored: `file:///PATH` or `s3://BUCKET[/PREFIX]`; default `DATA_DIR/objects`.",
    ),
  FORGELINE_S3_ENDPOINT: optionalText("URL of an S3-compatible server, if it is not AWS."),
  FORGELINE_S3_REGION: z.string().default("us-east-1").describe("S3 region."),
  FORGELINE_S3_ACCESS_KEY_ID: optionalText("S3 access key; without it the AWS default chain is used."),
  FORGELINE_S3_SECRET_ACCESS_KEY: optionalText("S3 secret key. Secret."),
};

export function toStorage(env: z.infer<z.ZodObject<typeof storageSettings>>) {
  const dataDir = env.FORGELINE_DATA_DIR;
  return {
    dataDir,
    cacheDir: env.FORGELINE_CACHE_DIR ?? `${dataDir}/cache`,
    keys: {
      keyring: `${dataDir}/${keyringName}`,
      file: env.FORGELINE_KEY_FILE ?? `${dataDir}/instance.key`,
      environment: secretOf(env.FORGELINE_KEY),
      program: env.FORGELINE_KEY_PROGRAM,
    },
    objectStore: {
      address: env.FORGELINE_OBJECT_STORE ?? `file://${dataDir}/objects`,
      s3: {
        endpoint: env.FORGELINE_S3_ENDPOINT,
        region: env.FORGELINE_S3_REGION,
        accessKeyId: env.FORGELINE_S3_ACCESS_KEY_ID,
        secretAccessKey: secretOf(env.FORGELINE_S3_SECRET_ACCESS_KEY),
      },
    },
  };
}

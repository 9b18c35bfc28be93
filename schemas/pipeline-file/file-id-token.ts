/** Identity tokens that a job gets: signed statements of this instance about the job, for services that trust it. */
import { z } from "zod";
import { secretNamePattern } from "./file-secrets.ts";

/** Service that a token is for, as it calls itself: an address, or a name such as `sts.amazonaws.com`. */
const audience = z
  .string()
  .regex(
    /^(?!.*\$\{\{)[\x21-\x7e]{1,255}$/,
    "the name of a service: up to 255 characters, without spaces and expressions",
  );

export const FileIdToken = z
  .record(
    z
      .string()
      .regex(
        secretNamePattern,
        "a variable name: up to 100 letters, digits and _, not beginning with a digit",
      ),
    audience,
  )
  .meta({
    id: "id_token",
    description: "Identity tokens: variables that hold them, and the service that each is for.",
  });
export type FileIdToken = z.infer<typeof FileIdToken>;

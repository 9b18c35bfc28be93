/** `privileged` of a job, as an author writes it. */
import { z } from "zod";

export const FilePrivileged = z.boolean().meta({
  id: "privileged",
  description:
    "true: the job's containers have all rights on the runner's machine. Only where an administrator trusts the repository and the runner takes such jobs. Default false.",
});

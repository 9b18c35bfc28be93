/** The settings of Git over SSH. */
import { z } from "zod";

export const sshSettings = {
  FORGELINE_SSH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("Port for Git over SSH; 0 picks a free one; unset: none."),
  FORGELINE_SSH_URL: z
    .string()
    .regex(/^ssh:\/\/git@[^/?#@\s]+$/, "must be ssh://git@HOST or ssh://git@HOST:PORT")
    .optional()
    .describe(
      "URL under which users reach Git over SSH; default: the host of the public URL and the SSH port.",
    ),
  FORGELINE_SSH_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(2)
    .max(100_000)
    .default(500)
    .describe(
      "Maximum number of SSH connections of one process; at most half of them may be without a login.",
    ),
  FORGELINE_SSH_CONNECTIONS_OF_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(150)
    .describe("Maximum number of SSH connections from one address."),
};

interface Settings {
  FORGELINE_SSH_PORT?: number | undefined;
  FORGELINE_SSH_URL?: string | undefined;
  FORGELINE_SSH_CONNECTIONS: number;
  FORGELINE_SSH_CONNECTIONS_OF_ADDRESS: number;
}

export function toSshConfig(env: Settings) {
  return {
    sshPort: env.FORGELINE_SSH_PORT,
    sshUrl: env.FORGELINE_SSH_URL,
    sshConnections: {
      inAll: env.FORGELINE_SSH_CONNECTIONS,
      ofAddress: env.FORGELINE_SSH_CONNECTIONS_OF_ADDRESS,
    },
  };
}

/** What a process tells its container beside the configuration. */
import type { PasswordCost } from "./domains/accounts/passwords/passwords.ts";
import type { ProcessStarter } from "./platform/processes/process-starter.ts";

export type Role = "server" | "worker" | "command";

export interface ContainerOptions {
  role: Role;
  /** The port really in use, where a free one is asked for. */
  httpsPort?: number | undefined;
  /** As `httpsPort`. */
  sshPort?: number | undefined;
  /** For tests, which hash many: less than passwords are worth. */
  passwordCost?: PasswordCost;
  /** What starts Git; one of the container's own where none is given. It is closed with the container. */
  starter?: ProcessStarter;
}

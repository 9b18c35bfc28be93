/** Whom jobs run as. In some containers the runner's user has a number and no name. */
import { homedir, userInfo } from "node:os";

export interface OwnUser {
  name: string;
  home: string;
  shell: string;
}

export function ownUser(): OwnUser {
  try {
    const { username, shell } = userInfo();
    return { name: username, home: homedir(), shell: shell ?? "/bin/sh" };
  } catch {
    return { name: String(process.getuid?.() ?? "unknown"), home: process.cwd(), shell: "/bin/sh" };
  }
}

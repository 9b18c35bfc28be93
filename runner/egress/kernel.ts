/** Asking the packet filter of the kernel, by `forgeline-init` as a process of this runner or in a container. */
import type { Answer } from "./answers.ts";
import type { Frame } from "./netlink.ts";

export interface Kernel {
  /** One answer for each frame. Rejects when the filter cannot be reached, with the reason in words. */
  ask(frames: readonly Frame[]): Promise<Answer[]>;
  close(): void;
}
